"""A filter for ASCII-only terminals: it transliterates every drawn line and preserves the line's width."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.scrollbar import ScrollBarRender

from interviewer.tui.ascii import UNKNOWN, sign_to_cell


class AsciiFilter(LineFilter):
    """Replace drawn text with ASCII of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with transliterated text; styles and control codes are unchanged."""
        return [
            segment
            if segment.control or segment.text.isascii()
            else Segment(to_ascii_cells(segment.text), segment.style)
            for segment in segments
        ]


@lru_cache(4096)
def to_ascii_cells(text: str) -> str:
    """Return the text in ASCII, with one character for each terminal cell that the original occupies."""
    text_in_ascii = "".join(sign if sign.isascii() else _cells(sign) for sign in text)
    # A grapheme cluster (an emoji sequence, a flag) may be narrower than the sum of its parts.
    return text_in_ascii[: cell_len(text)].ljust(cell_len(text))


def _cells(sign: str) -> str:
    cell, width = sign_to_cell(sign), cell_len(sign)
    return UNKNOWN * width if cell == UNKNOWN else cell[:width].ljust(width)


def install_ascii_filter(app: App[Any]) -> None:
    """Make the app draw only ASCII."""
    # The scroll bar is drawn with colors alone; partial blocks would only make its movement smoother.
    ScrollBarRender.VERTICAL_BARS = ScrollBarRender.HORIZONTAL_BARS = [" "] * 8
    app._filters.append(AsciiFilter())
