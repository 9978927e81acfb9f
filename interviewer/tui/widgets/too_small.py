"""Covers a screen that is too small to use; what lies beneath keeps its text, focus and scroll."""

from __future__ import annotations

from textual.widgets import Static


class TooSmall(Static):
    """Say how much room is needed; the stylesheet shows it by the screen's size classes."""

    def __init__(self) -> None:
        super().__init__("interviewer needs 60 × 16 or more.\nMake this window larger; nothing is lost.", markup=False)
