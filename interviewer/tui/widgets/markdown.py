"""Markdown from a model, a task or a debrief: links cannot be opened, no text is lost, and formulas are rendered."""

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
    """Escape markup inside “quotes” in Markdown that arrives in chunks; a quote ends at the end of its line.

    Quotes are someone's exact words: 2*32e9*6000 must not become 232e96000, and `x` must keep its backticks. The first
    line of a verdict is treated as a quote, because it contains the submission's error message, which may include names
    such as `__init__`.
    """

    def __init__(self, move: MoveKind | None = None) -> None:
        self._is_inside = move is MoveKind.VERDICT

    def feed(self, text: str) -> str:
        """Return the text with Markdown and formula characters inside quotes replaced by entities."""
        return "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if sign in "”\n":
            self._is_inside = False
        shown = sign.translate(_AS_ENTITY) if self._is_inside else sign
        if sign == "“":
            self._is_inside = True
        return shown


def _parser() -> MarkdownIt:
    # The default parser treats <b and c> as a tag and drops it; this parser keeps every character of the text.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _spell_out(parser) if draws_ascii() else parser


def _spell_out(parser: MarkdownIt) -> MarkdownIt:
    """Make the parser transliterate text and code to ASCII before the lines are laid out, and return the parser.

    The source itself is not transliterated, because a product sign would be parsed as emphasis, and a dash as a list
    item.
    """

    def spell(state: StateCore) -> None:
        for token in state.tokens:
            token.content = transliterate(token.content)
            for child in token.children or ():
                child.content = transliterate(child.content)

    parser.core.ruler.push("spell", spell)
    return parser


class CodeBlock(MarkdownFence):
    """A block of code in legible colors."""

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        """Return the code highlighted in the theme's colors."""
        return highlight(code, language=language or None, theme=LegibleHighlightTheme)


_BLOCKS: dict[str, type[MarkdownBlock]] = {**Markdown.BLOCKS, "fence": CodeBlock, "code_block": CodeBlock}


class SafeMarkdown(Markdown):
    """A Markdown view without HTML or clickable links. `text` is the source, with formulas in TeX.

    Without `draws_formulas`, an escaped bracket is a literal bracket instead of the start of a formula, for example in
    a quote from typed text.
    """

    BLOCKS = _BLOCKS

    def __init__(self, markdown: str = "", *, id: str | None = None, draws_formulas: bool = True) -> None:
        super().__init__(markdown, id=id, parser_factory=_parser, open_links=False)
        self.text = markdown
        self._draws_formulas = draws_formulas
        self._is_raw = False

    def update(self, markdown: str) -> AwaitComplete:
        """Show this text. Do nothing if the app is exiting, because Textual would raise an exception."""
        self.text = markdown
        if not self.is_attached:
            return AwaitComplete()
        drawn = render_formulas(markdown, is_raw=self._is_raw) if self._draws_formulas else markdown
        return super().update(drawn)

    def show_raw(self, is_raw: bool) -> bool:
        """Show formulas as TeX or rendered; return whether the text has any formulas."""
        self._is_raw = is_raw
        if not self._draws_formulas or render_formulas(self.text) == self.text:
            return False
        self.update(self.text)
        return True
