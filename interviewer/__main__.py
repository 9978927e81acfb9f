"""Run the command line with `python -m interviewer`."""

from interviewer.start import main

if __name__ == "__main__":
    main()
