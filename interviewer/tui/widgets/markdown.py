"""Markdown from a model, a task or a debrief: it is shown, nothing in it acts or disappears, and formulas are drawn."""

from __future__ import annotations

from markdown_it import MarkdownIt
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownBlock, MarkdownFence

from interviewer.lettering import draws_ascii
from interviewer.tui.code_colors import CodeInks
from interviewer.tui.formulas import drawn


def _parser() -> MarkdownIt:
    # The default parser takes <b and c> for a tag and drops it; here every character of the text stays.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    if not draws_ascii():
        return parser
    from interviewer.tui.ascii_filter import spell_out

    return spell_out(parser)


class CodeBlock(MarkdownFence):
    """Show a block of code in legible colours."""

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        """Return the code in the colours of the theme."""
        return highlight(code, language=language or None, theme=CodeInks)


_BLOCKS: dict[str, type[MarkdownBlock]] = {**Markdown.BLOCKS, "fence": CodeBlock, "code_block": CodeBlock}


class SafeMarkdown(Markdown):
    """Show Markdown without links that open and without HTML. `text` is its source, formulas in TeX."""

    BLOCKS = _BLOCKS

    def __init__(self, markdown: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(markdown, id=id, classes=classes, parser_factory=_parser, open_links=False)
        self.text = markdown
        self._is_raw = False

    def update(self, markdown: str) -> AwaitComplete:
        """Show this text instead."""
        self.text = markdown
        return super().update(drawn(markdown, is_raw=self._is_raw))

    def show_raw(self, is_raw: bool) -> bool:
        """Show the formulas as TeX or drawn; return whether there are any."""
        self._is_raw = is_raw
        if drawn(self.text) == self.text:
            return False
        self.update(self.text)
        return True
