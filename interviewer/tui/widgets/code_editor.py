"""Where the candidate writes code: Python colours if the grammar is there, else plain text; tab is four spaces.

Two things are not left to Textual, since either would make an hour of typing slow or large: it colours the whole text
after every key, where only lines near those in view need it, and has it read in a way that leaks (`_WholeText`).
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import DocumentBase
from textual.document._syntax_aware_document import SyntaxAwareDocument
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from interviewer.tui.code_colors import ground_of_code, legible_styles
from interviewer.tui.printable import printable
from interviewer.tui.widgets.find_line import FindLine
from interviewer.tui.widgets.plain_keys import LONG_TEXT_KEYS

INDENT = "    "
# Coloured above and below the view, so that a few steps of scrolling need no new look at the text.
MARGIN_LINES = 40


class _WholeText:
    """Stand before a tree-sitter parser and hand it the text at once.

    Of what it reads in pieces, line by line, tree-sitter 0.26.1 never lets go: 0.12 MiB a key at a thousand lines.
    """

    def __init__(self, parser: Any, document: DocumentBase) -> None:
        self._parser = parser
        self._document = document

    def parse(self, _: object, old_tree: Any) -> Any:
        """Return the tree of the text as it is now."""
        return self._parser.parse(self._document.text.encode(), old_tree)


class CodeEditor(TextArea):
    """Hold the source of one task."""

    BINDINGS: ClassVar[list[BindingType]] = [*LONG_TEXT_KEYS, Binding("ctrl+f", "find", "Find", show=False)]

    def __init__(self) -> None:
        self._coloured = range(0)
        super().__init__(id="code", tab_behavior="indent", show_line_numbers=True, max_checkpoints=200)

    def on_mount(self) -> None:
        """Colour Python, and follow the app's theme."""
        if self._has_grammar():
            self.language = "python"
        self.watch(self.app, "theme", self._follow_theme)

    def on_key(self, event: events.Key) -> None:
        """Keep the indentation on a new line; leave escape to the screen."""
        if event.key == "escape":
            event.prevent_default()
        elif event.key == "enter" and not self.read_only:
            event.stop()
            event.prevent_default()
            self.insert("\n" + self._indentation())

    def action_find(self) -> None:
        """Open the line that searches this text, or go back to the one that is open."""
        place = self.parent
        assert isinstance(place, Widget)
        if found := place.query(FindLine):
            found.first().focus()
        else:
            place.mount(FindLine(self), after=self)

    def on_hide(self) -> None:
        """Search no more in what is not seen."""
        assert self.parent is not None
        self.parent.query(FindLine).remove()

    def on_paste(self, event: events.Paste) -> None:
        """Keep characters that steer a terminal out of the text."""
        event.text = printable(event.text)

    def load_text(self, text: str) -> None:
        """Put in a text, which may come from a file or from plain lines, without such characters."""
        super().load_text(printable(text))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Colour what comes into view."""
        super().watch_scroll_y(old_value, new_value)
        self._colour_view()

    def on_resize(self) -> None:
        """Colour what comes into view."""
        self._colour_view()

    def _colour_view(self) -> None:
        view = self._lines_in_view()
        if view.start < self._coloured.start or view.stop > self._coloured.stop:
            self._build_highlight_map()

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        if isinstance(self.document, SyntaxAwareDocument):
            self.document._parser = _WholeText(self.document._parser, self.document)  # type: ignore[assignment]

    def _lines_in_view(self) -> range:
        top = max(0, round(self.scroll_y))
        first, last = (self.wrapped_document.offset_to_location(Offset(0, y))[0] for y in (top, top + self.size.height))
        return range(first, min(last + 1, self.document.line_count))

    def _build_highlight_map(self) -> None:
        """Take the place of Textual's, which is called after every change of the text."""
        self._line_cache.clear()
        self._highlights.clear()
        if self._highlight_query is None:
            return
        view = self._lines_in_view()
        first, end = max(0, view.start - MARGIN_LINES), min(view.stop + MARGIN_LINES, self.document.line_count)
        self._coloured = range(first, end)
        found = self.document.query_syntax_tree(self._highlight_query, (first, 0), (end, 0))
        for name, nodes in found.items():
            for node in nodes:
                (top, left), (bottom, right) = node.start_point, node.end_point
                for line in range(max(top, first), min(bottom, end - 1) + 1):
                    start, stop = left if line == top else 0, right if line == bottom else None
                    self._highlights[line].append((start, stop, name))

    def _indentation(self) -> str:
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        indent = before[: len(before) - len(before.lstrip(" \t"))]
        return indent + INDENT if before.rstrip().endswith(":") else indent

    def _has_grammar(self) -> bool:
        try:
            import tree_sitter_python  # noqa: F401
        except ImportError:
            return False
        return True

    def _follow_theme(self) -> None:
        """Take light or dark syntax colours; everything else of the editor's look comes from the stylesheet."""
        is_dark = self.app.current_theme.dark
        builtin = TextAreaTheme.get_builtin_theme("vscode_dark" if is_dark else "github_light")
        if builtin is not None:
            styles = legible_styles(builtin.syntax_styles, ground_of_code(self.app))
            self.register_theme(TextAreaTheme("follow", syntax_styles=styles))
            # The name alone would not change, and the editor would keep the colours it has.
            self.theme = "css"
            self.theme = "follow"
