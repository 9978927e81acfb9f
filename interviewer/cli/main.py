"""Start the app or the given command; without a command, the app opens without importing click."""

from __future__ import annotations

import os
import sys

from interviewer.cli.starting import clear_starting, say_starting, starts_slowly


def main() -> None:
    """Open the app or run the given command, and exit with the documented code."""
    if starts_slowly(sys.argv[1:]):
        say_starting()
    from interviewer.tui.ascii import install_ascii_output  # import only after the first line has been printed

    install_ascii_output()
    try:
        # A shell may pass no arguments when it asks for completions.
        if len(sys.argv) > 1 or "_INTERVIEWER_COMPLETE" in os.environ:
            from interviewer.cli.group import run  # lazy import: click takes a fifth of the time to the first frame

            sys.exit(run(sys.argv[1:]))
        from interviewer.cli.launch import open_at_home  # `interviewer --help` does not need the app

        sys.exit(open_at_home())
    finally:
        clear_starting()
