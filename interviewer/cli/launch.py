"""Open the TUI. All imports here delay the first frame, so only modules that the frame needs are imported."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING

from interviewer.cli.starting import has_terminal
from interviewer.config import find_folders, load_settings
from interviewer.errors import INTERRUPTED, BadInput
from interviewer.interview.context import AppContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interviewer.interview.runner import Interview
    from interviewer.tui.screens.doctor import Finding


def open_app(context: AppContext, started: Interview | None, note: str = "") -> int:
    """Open the TUI on the home screen or in the given interview, which first shows `note`, if any.

    Raises BadInput if there is no suitable terminal.
    """
    require_terminal()
    gc.disable()  # garbage collection is off until the first frame, because there is almost no garbage before then
    from interviewer.tui.app import run_app

    def find_problems() -> Sequence[Finding]:
        from interviewer.cli.doctor import run_checks

        return run_checks(context, os.environ)

    return run_app(context, started, find_problems, note)


def require_terminal() -> None:
    """Raise BadInput if there is no suitable terminal; commands that log a new session call this first."""
    if not has_terminal():
        raise BadInput(
            "the app needs a terminal", "In pipes and scripts, use interviewer interview --plain.", "terminal"
        )


def open_at_home() -> int:
    """Open the app on the home screen and return the exit code; errors are printed on stderr."""
    try:
        folders = find_folders()
        with AppContext(load_settings(folders, os.environ, {}), folders) as context:
            return open_app(context, None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        from interviewer.cli.output import print_failure  # this imports click

        return print_failure(error, as_json=False)
