"""Open the TUI; the first frame waits for every import before it, so only what that frame shows is imported."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from interviewer.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interviewer.interview.context import AppContext
    from interviewer.interview.runner import Interview
    from interviewer.tui.screens.doctor import Finding


def has_terminal() -> bool:
    """Return whether there is a terminal that can draw and send keys."""
    can_draw = os.environ.get("TERM", "") not in {"dumb", "unknown"}
    return sys.stdin.isatty() and sys.stdout.isatty() and can_draw


def open_app(context: AppContext, started: Interview | None) -> int:
    """Open the TUI at home, or in this interview. Raises: BadInput without a terminal that can draw."""
    if not has_terminal():
        raise BadInput(
            "the app needs a terminal", "Use interviewer interview --plain in pipes and scripts.", "terminal"
        )
    gc.disable()  # until the first frame: nothing that is allocated before it is garbage
    from interviewer.tui.app import run_app

    def find_problems() -> Sequence[Finding]:
        from interviewer.cli.doctor import examine

        return examine(context, os.environ)

    return run_app(context, started, find_problems)
