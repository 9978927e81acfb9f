"""Markdown from a model, a task or a debrief: nothing in it acts or disappears, and formulas are drawn."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownBlock, MarkdownFence

from interviewer.session.move import MoveKind
from interviewer.tui.ascii import draws_ascii, transliterate
from interviewer.tui.code_colors import LegibleHighlightTheme
from interviewer.tui.latex import render_formulas

_AS_ENTITY = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]<>|#~$&!"}


class QuotedText:
    """Turn Markdown that comes in pieces into Markdown whose “quotes” hold no markup; a quote ends with its line.

    Quotes are somebody's own words: 2*32e9*6000 must not come back as 232e96000, nor `x` without its ticks. The first
    line of a verdict is such a quote without its marks: it names what the submission raised, for example `__init__`.
    """

    def __init__(self, move: MoveKind | None = None) -> None:
        self._is_inside = move is MoveKind.VERDICT

    def feed(self, text: str) -> str:
        """Return the same text, each sign in a quote that Markdown or a formula begins with as an entity."""
        return "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if sign in "”\n":
            self._is_inside = False
        shown = sign.translate(_AS_ENTITY) if self._is_inside else sign
        if sign == "“":
            self._is_inside = True
        return shown


def _parser() -> MarkdownIt:
    # The default parser takes <b and c> for a tag and drops it; here every character of the text stays.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _spell_out(parser) if draws_ascii() else parser


def _spell_out(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser, which from now on spells text and code in ASCII: before the lines are laid out there is room.

    Not done to the source: there a product would become emphasis, and a dash a list.
    """

    def spell(state: StateCore) -> None:
        for token in state.tokens:
            token.content = transliterate(token.content)
            for child in token.children or ():
                child.content = transliterate(child.content)

    parser.core.ruler.push("spell", spell)
    return parser


class CodeBlock(MarkdownFence):
    """Show a block of code in legible colours."""

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        """Return the code in the colours of the theme."""
        return highlight(code, language=language or None, theme=LegibleHighlightTheme)


_BLOCKS: dict[str, type[MarkdownBlock]] = {**Markdown.BLOCKS, "fence": CodeBlock, "code_block": CodeBlock}


class SafeMarkdown(Markdown):
    """Show Markdown without links that open and without HTML. `text` is its source, formulas in TeX.

    Without `draws_formulas`, an escaped bracket is a bracket and begins no formula, as in quotes of what was typed.
    """

    BLOCKS = _BLOCKS

    def __init__(self, markdown: str = "", *, id: str | None = None, draws_formulas: bool = True) -> None:
        super().__init__(markdown, id=id, parser_factory=_parser, open_links=False)
        self.text = markdown
        self._draws_formulas = draws_formulas
        self._is_raw = False

    def update(self, markdown: str) -> AwaitComplete:
        """Show this text instead; in an app that ends, where Textual would raise, nothing is shown any more."""
        self.text = markdown
        if not self.is_attached:
            return AwaitComplete()
        drawn = render_formulas(markdown, is_raw=self._is_raw) if self._draws_formulas else markdown
        return super().update(drawn)

    def show_raw(self, is_raw: bool) -> bool:
        """Show the formulas as TeX or drawn; return whether there are any."""
        self._is_raw = is_raw
        if not self._draws_formulas or render_formulas(self.text) == self.text:
            return False
        self.update(self.text)
        return True
