"""Markdown from a model, a task or a debrief: it is shown, and nothing in it acts or disappears."""

from __future__ import annotations

from markdown_it import MarkdownIt
from textual.widgets import Markdown


def _parser() -> MarkdownIt:
    # The default parser takes <b and c> for a tag and drops it; here every character of the text stays.
    return MarkdownIt("commonmark", {"html": False}).enable("table")


class SafeMarkdown(Markdown):
    """Show Markdown without links that open and without HTML."""

    def __init__(self, markdown: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(markdown, id=id, classes=classes, parser_factory=_parser, open_links=False)
