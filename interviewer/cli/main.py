"""The way in. Without a command the app opens at once: reading a command line costs a fifth of its first picture."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Open the app, or run the command that was given, and exit with the documented code."""
    from interviewer.tui.ascii import speak_ascii

    speak_ascii()
    # A shell that asks for completions may give no word at all.
    if len(sys.argv) > 1 or "_INTERVIEWER_COMPLETE" in os.environ:
        from interviewer.cli.group import main as run_command

        run_command()
    sys.exit(open_at_home())


def open_at_home() -> int:
    """Open the app at home and return the exit code; what keeps it from opening is said on stderr."""
    from interviewer.cli.launch import open_app
    from interviewer.config import find_folders, load_settings
    from interviewer.exits import INTERRUPTED, Failure, fault_of_ours, tell_failure
    from interviewer.interview.context import Kit

    try:
        folders = find_folders()
        with Kit(load_settings(folders, os.environ, {}), folders) as kit:
            return open_app(kit, None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Failure as error:
        return tell_failure(error, as_json=False)
    except Exception as error:
        return tell_failure(fault_of_ours(error), as_json=False)
