"""Covers a screen that is too small to use; what lies beneath keeps its text, focus and scroll."""

from __future__ import annotations

from textual.widgets import Static

from interviewer.tui.terminal import COLUMNS_MIN, ROWS_MIN


class TooSmall(Static):
    """Say how much room is needed; the stylesheet shows it by the screen's size classes."""

    def __init__(self) -> None:
        needs = f"interviewer needs {COLUMNS_MIN} × {ROWS_MIN} or more."
        super().__init__(f"{needs}\nMake this window larger; nothing is lost.", markup=False)
