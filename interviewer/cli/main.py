"""Start the app, or the command that was given; without a command the app opens without importing click."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Open the app, or run the command that was given, and exit with the documented code."""
    from interviewer.tui.ascii import speak_ascii

    speak_ascii()
    # A shell that asks for completions may pass no argument.
    if len(sys.argv) > 1 or "_INTERVIEWER_COMPLETE" in os.environ:
        from interviewer.cli.group import run  # importing click takes a fifth of the time to the app's first frame

        sys.exit(run(sys.argv[1:]))
    sys.exit(open_at_home())


def open_at_home() -> int:
    """Open the app at home and return the exit code; print on stderr what keeps it from opening."""
    # Here, because `interviewer --help` comes through this module too.
    from interviewer.cli.launch import open_app
    from interviewer.config import find_folders, load_settings
    from interviewer.errors import INTERRUPTED
    from interviewer.interview.context import AppContext

    try:
        folders = find_folders()
        with AppContext(load_settings(folders, os.environ, {}), folders) as context:
            return open_app(context, None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        from interviewer.cli.output import print_failure  # brings click

        return print_failure(error, as_json=False)
