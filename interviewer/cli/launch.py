"""Opens the TUI; its first picture waits for all that is imported on the way, so nothing is but what it shows."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from interviewer.exits import BAD_INPUT, Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interviewer.interview.context import Kit
    from interviewer.interview.runner import Interview
    from interviewer.tui.screens.doctor import Finding


def has_terminal() -> bool:
    """Return whether there is a terminal that can draw and send keys."""
    can_draw = os.environ.get("TERM", "") not in {"dumb", "unknown"}
    return sys.stdin.isatty() and sys.stdout.isatty() and can_draw


def open_app(kit: Kit, started: Interview | None) -> int:
    """Open the TUI at home, or in this interview. Raises: Failure without a terminal that can draw."""
    if not has_terminal():
        raise Failure(
            BAD_INPUT, "terminal", "the app needs a terminal", "Use interviewer interview --plain in pipes and scripts."
        )
    gc.disable()  # until the first picture: nothing that is made on the way to it is garbage
    from interviewer.tui.app import run_app

    def found() -> Sequence[Finding]:
        from interviewer.cli.doctor import examine

        return examine(kit, os.environ)

    return run_app(kit, started, found)
