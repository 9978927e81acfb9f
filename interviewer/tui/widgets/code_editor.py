"""The code editor, its search line, and a read-only mirror for observers. Tab inserts four spaces.

Two parts of Textual are replaced, because they would make a long session slow or leak memory. Textual highlights the
whole text after every key press, although only lines near the view need it, and its parsing leaks memory
(`_WholeText`).
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import DocumentBase
from textual.document._syntax_aware_document import SyntaxAwareDocument
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.widgets.text_area import Selection, TextAreaTheme

from interviewer.tui.bindings import LONG_TEXT_KEYS
from interviewer.tui.code_colors import code_background, legible_styles
from interviewer.tui.text_format import printable
from interviewer.tui.widgets.lists import LineInput

INDENT = "    "
# Lines above and below the view are highlighted as well, so that scrolling a short distance needs no new highlighting.
MARGIN_LINES = 40


class _WholeText:
    """Wrap a tree-sitter parser and pass it the whole text at once.

    tree-sitter 0.26.1 leaks memory if it reads the text line by line: 0.12 MiB per key press at a thousand lines.
    """

    def __init__(self, parser: Any, document: DocumentBase) -> None:
        self._parser = parser
        self._document = document

    def parse(self, _: object, old_tree: Any) -> Any:
        """Return the syntax tree of the current text."""
        return self._parser.parse(self._document.text.encode(), old_tree)


class CodeEditor(TextArea, inherit_bindings=False):
    """The editor for the code of a task."""

    BINDINGS: ClassVar[list[BindingType]] = [*LONG_TEXT_KEYS, Binding("ctrl+f", "find", "Find", show=False)]

    def __init__(self) -> None:
        self._coloured = range(0)
        super().__init__(id="code", tab_behavior="indent", show_line_numbers=True, max_checkpoints=200)

    def on_mount(self) -> None:
        """Highlight Python, and follow the app's theme."""
        if find_spec("tree_sitter_python"):
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
        """Open the search line for this text, or focus it if it is already open."""
        place = self.parent
        assert isinstance(place, Widget)
        if found := place.query(FindLine):
            found.first().focus()
        else:
            place.mount(FindLine(self), after=self)

    def on_hide(self) -> None:
        """Close the search line when the editor is hidden."""
        assert self.parent is not None
        self.parent.query(FindLine).remove()

    def on_paste(self, event: events.Paste) -> None:
        """Remove control characters from pasted text."""
        event.text = printable(event.text)

    def load_text(self, text: str) -> None:
        """Load a text from a file or from plain mode, without control characters."""
        super().load_text(printable(text))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Highlight the lines that scroll into view."""
        super().watch_scroll_y(old_value, new_value)
        self._colour_view()

    def on_resize(self) -> None:
        """Highlight the lines that come into view."""
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
        """Replace Textual's method, which is called whenever the text changes."""
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

    def _follow_theme(self) -> None:
        """Use light or dark syntax colors; the stylesheet sets all other styles of the editor."""
        is_dark = self.app.current_theme.dark
        builtin = TextAreaTheme.get_builtin_theme("vscode_dark" if is_dark else "github_light")
        if builtin is not None:
            styles = legible_styles(builtin.syntax_styles, code_background(self.app))
            self.register_theme(TextAreaTheme("follow", syntax_styles=styles))
            # Assigning the same name again would not update the colors.
            self.theme = "css"
            self.theme = "follow"


class FindLine(LineInput):
    """Select search matches in an editor; a lowercase search ignores case."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "step(1)", "Next", key_display="⏎"),
        Binding("up", "step(-1)", "Previous", key_display="↑"),
        Binding("escape", "leave", "Back"),
    ]
    DEFAULT_CSS = "FindLine { height: 2; border: none; border-top: solid $border; padding: 0 1; }"

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._began_at = min(editor.selection)
        super().__init__(editor.selected_text.partition("\n")[0])
        self.border_title = "Find"

    def on_mount(self) -> None:
        """Focus the search line."""
        self.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Go to the first match after the position where the search started."""
        event.stop()
        hits = self._hits()
        self._show(hits, next((hit for hit in hits if hit.start >= self._began_at), None) or next(iter(hits), None))

    def action_step(self, step: int) -> None:
        """Go to the next or the previous match, wrapping around at the ends."""
        hits, here = self._hits(), min(self._editor.selection)
        if step > 0:
            found = next((hit for hit in hits if hit.start > here), None) or next(iter(hits), None)
        else:
            found = next((hit for hit in reversed(hits) if hit.start < here), None) or next(reversed(hits), None)
        self._show(hits, found)

    def action_leave(self) -> None:
        """Return the focus to the editor, which keeps the selection."""
        self._editor.focus()
        self.remove()

    def _hits(self) -> list[Selection]:
        if not self.value:
            return []
        flags = re.IGNORECASE if self.value == self.value.lower() else re.NOFLAG
        words = re.compile(re.escape(self.value), flags)
        lines = enumerate(self._editor.text.split("\n"))
        return [Selection((row, hit.start()), (row, hit.end())) for row, line in lines for hit in words.finditer(line)]

    def _show(self, hits: list[Selection], found: Selection | None) -> None:
        if found is not None:
            self._editor.selection = found
        number = hits.index(found) + 1 if found is not None else 0
        self.border_subtitle = f"{number} of {len(hits)}" if self.value else ""


def is_on_code(widget: object) -> bool:
    """Return whether this widget edits or searches the code."""
    return isinstance(widget, FindLine) or getattr(widget, "id", None) == "code"


class CodeMirror(CodeEditor):
    """A read-only view of code from a different app."""

    def __init__(self) -> None:
        super().__init__()
        self.read_only = True

    def show(self, text: str) -> None:
        """Show the text.

        Only lines that differ are replaced, so that the scroll position and the highlighting are kept.
        """
        old, new = self.text.split("\n"), printable(text).split("\n")
        if old == new:
            return
        is_following = self.cursor_location[0] in self._lines_in_view()
        both = min(len(old), len(new))
        start = next((number for number in range(both) if old[number] != new[number]), both)
        same = next((number for number in range(both - start) if old[-1 - number] != new[-1 - number]), both - start)
        if start == 0:
            self.load_text("\n".join(new))
        else:
            # Start at the end of the previous line, so that an added or removed line includes its line break.
            first, last = ((place, len(old[place])) for place in (start - 1, len(old) - same - 1))
            self.replace("".join(f"\n{line}" for line in new[start : len(new) - same]), first, last)
        if is_following:
            self.move_cursor((max(min(start, len(new) - 1), len(new) - same - 1), 0))
