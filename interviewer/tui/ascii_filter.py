"""The look in a terminal that has only ASCII: every line passes here, and comes out as wide as it went in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.scrollbar import ScrollBarRender

from interviewer.tui.ascii import UNKNOWN, cell_of, spelled


class AsciiFilter(LineFilter):
    """Replace what is drawn by ASCII of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with other signs and nothing else changed."""
        return [one if one.control or one.text.isascii() else Segment(fitted(one.text), one.style) for one in segments]


@lru_cache(4096)
def fitted(text: str) -> str:
    """Return the text in ASCII, as many characters long as the text is cells wide."""
    said = "".join(sign if sign.isascii() else _cells(sign) for sign in text)
    # A cluster (an emoji of several characters, a flag) may be narrower than its parts.
    return said[: cell_len(text)].ljust(cell_len(text))


def _cells(sign: str) -> str:
    cell, width = cell_of(sign), cell_len(sign)
    return UNKNOWN * width if cell == UNKNOWN else cell[:width].ljust(width)


def use_ascii(app: App[Any]) -> None:
    """Let the app draw nothing but ASCII."""
    # Drawn by colour alone: the parts of blocks at its ends only make its movement smooth.
    ScrollBarRender.VERTICAL_BARS = ScrollBarRender.HORIZONTAL_BARS = [" "] * 8
    app._filters.append(AsciiFilter())


def spell_out(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser, which from now on spells text and code in ASCII: before the lines are laid out there is room.

    Not done to the source: there a product would become emphasis, and a dash a list.
    """

    def spell(state: StateCore) -> None:
        for token in state.tokens:
            token.content = spelled(token.content)
            for child in token.children or ():
                child.content = spelled(child.content)

    parser.core.ruler.push("spell", spell)
    return parser
