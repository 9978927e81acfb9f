"""The code editor, its inputs for find, replace and go to line, and a read-only mirror for observers.

In editable code, tab indents and shift+tab unindents the cursor's line, or all selected lines. To leave the
editor, the user opens another view (F2, F4 or F6).

Two parts of Textual are replaced, because both would make a long session slow or leak memory. Textual highlights
the whole text after every key press, although only lines near the view need it, and its parsing leaks memory
(`_WholeText`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import DocumentBase
from textual.document._syntax_aware_document import SyntaxAwareDocument
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Button, Input, TextArea
from textual.widgets.text_area import Selection, TextAreaTheme

from interviewer.tui.bindings import LONG_TEXT_KEYS
from interviewer.tui.code_colors import code_background, legible_styles
from interviewer.tui.text_format import printable
from interviewer.tui.widgets.lists import LineInput

INDENT = "    "
# Also highlight lines just above and below the viewport, so that short scrolls need no new highlighting.
MARGIN_LINES = 40
# The CSS class of the input fields that open below an editor.
BELOW_CODE = "below-code"


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
    """The code editor for a task."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "find", "Find and replace", show=False),
        Binding("ctrl+g", "go_to_line", "Go to line", show=False),
        Binding("pageup", "cursor_page_up", "Page up", show=False),
        Binding("pagedown", "cursor_page_down", "Page down", show=False),
        *LONG_TEXT_KEYS,
    ]
    # `on_key` handles these keys: with a binding, letters typed right after a key would be inserted first.
    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = (("tab", "Indent"), ("shift+tab", "Unindent"))

    def __init__(self) -> None:
        self._coloured = range(0)
        super().__init__(id="code", tab_behavior="indent", show_line_numbers=True, max_checkpoints=200)

    def on_mount(self) -> None:
        """Highlight the Python code, using colors that match the app's theme."""
        if find_spec("tree_sitter_python"):
            self.language = "python"
        self.watch(self.app, "theme", self._follow_theme)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return whether the editor handles the key itself, so that no screen lists its own action for the key."""
        return (key == "shift+tab" and not self.read_only) or super().check_consume_key(key, character)

    def on_key(self, event: events.Key) -> None:
        """Indent, unindent, and keep the indentation on a new line; let the screen handle escape."""
        (first, _), (last, _) = self.selection
        if event.key == "escape":
            event.prevent_default()
        elif not self.read_only and (event.key == "shift+tab" or (event.key == "tab" and first != last)):
            event.stop()
            event.prevent_default()
            self._shift_lines(is_out=event.key == "shift+tab")
        elif event.key == "enter" and not self.read_only:
            event.stop()
            event.prevent_default()
            start, end = sorted(self.selection)
            self.replace("\n" + self._indentation(start), start, end, maintain_selection_offset=False)

    def action_find(self) -> None:
        """Open the input lines to find and replace text, or focus them if they are already open."""
        self._open_lines(FindLine, lambda: [FindLine(self)] if self.read_only else _find_and_replace(self))

    def action_go_to_line(self) -> None:
        """Ask for a line number."""
        self._open_lines(GoToLine, lambda: [GoToLine(self)])

    def _open_lines(self, kind: type[LineInput], make: Callable[[], Sequence[Widget]]) -> None:
        place = self.parent
        assert isinstance(place, Widget)
        if found := place.query(kind):
            found.first().focus()
        else:
            self.close_lines()
            place.mount(*make(), after=self)

    def close_lines(self) -> None:
        """Remove the input lines below the editor."""
        if self.parent is not None:
            self.parent.query(f".{BELOW_CODE}").remove()

    def on_hide(self) -> None:
        """Close the input lines below the editor when the editor is hidden."""
        self.close_lines()

    def on_paste(self, event: events.Paste) -> None:
        """Remove control characters from pasted text."""
        event.text = printable(event.text)

    def load_text(self, text: str) -> None:
        """Load text from a file or from plain mode, without control characters."""
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
        """Override Textual's method, which is called whenever the text changes."""
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

    def _shift_lines(self, *, is_out: bool) -> None:
        """Indent or unindent the selected lines, or the cursor's line, in one edit."""
        start, end = sorted(self.selection)
        # If the selection ends at the first column of a line, that line is not included.
        last = end[0] - (end[0] > start[0] and end[1] == 0)
        lines = [self.document.get_line(row) for row in range(start[0], last + 1)]
        changed = [_unindented(line) if is_out else INDENT + line if line.strip() else line for line in lines]
        if changed == lines:
            return
        moved = {start[0] + place: len(new) - len(lines[place]) for place, new in enumerate(changed)}

        def shifted(row: int, column: int) -> tuple[int, int]:
            return row, max(0, column + moved.get(row, 0))

        selection = self.selection
        self.replace("\n".join(changed), (start[0], 0), (last, len(lines[-1])))
        self.selection = Selection(shifted(*selection.start), shifted(*selection.end))

    def _indentation(self, place: tuple[int, int]) -> str:
        row, column = place
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


class CodeLine(LineInput):
    """An input line below an editor; escape goes back to the code."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]
    DEFAULT_CSS = """
    CodeLine { height: 2; border: none; border-top: solid $border-blurred; padding: 0 1; }
    CodeLine:focus { border: none; border-top: heavy $border; }
    """

    def __init__(self, editor: CodeEditor, value: str = "", **options: Any) -> None:
        self._editor = editor
        super().__init__(value, classes=BELOW_CODE, **options)

    def action_leave(self) -> None:
        """Move the focus back to the editor, which keeps its selection."""
        _leave(self._editor)


class FindLine(CodeLine):
    """Select search matches in an editor; a lowercase search ignores case."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "step(1)", "Next", key_display="⏎"),
        Binding("up", "step(-1)", "Previous", key_display="↑"),
    ]

    def __init__(self, editor: CodeEditor) -> None:
        self._began_at = min(editor.selection)
        super().__init__(editor, editor.selected_text.partition("\n")[0])
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

    def replace_next(self, text: str) -> None:
        """Replace the selected match, if any, and select the next match."""
        editor = self._editor
        if Selection(*sorted(editor.selection)) in self._hits():
            start, end = sorted(editor.selection)
            end = editor.replace(text, start, end).end_location
            editor.move_cursor(end)
            hits = self._hits()
            self._show(hits, next((hit for hit in hits if hit.start >= end), None) or next(iter(hits), None))
        else:
            self.action_step(1)

    def replace_all(self, text: str) -> int:
        """Replace all matches in a single edit, so that one undo restores them; return the number of matches."""
        pattern, editor = self._pattern(), self._editor
        changed, count = pattern.subn(lambda _: text, editor.text) if pattern else ("", 0)
        if count:
            editor.replace(changed, editor.document.start, editor.document.end)
            editor.move_cursor(min(self._began_at, editor.document.end))
        return count

    def _pattern(self) -> re.Pattern[str] | None:
        flags = re.IGNORECASE if self.value == self.value.lower() else re.NOFLAG
        return re.compile(re.escape(self.value), flags) if self.value else None

    def _hits(self) -> list[Selection]:
        pattern = self._pattern()
        if pattern is None:
            return []
        lines = enumerate(self._editor.text.split("\n"))
        return [
            Selection((row, hit.start()), (row, hit.end())) for row, line in lines for hit in pattern.finditer(line)
        ]

    def _show(self, hits: list[Selection], found: Selection | None) -> None:
        if found is not None:
            self._editor.selection = found
        number = hits.index(found) + 1 if found is not None else 0
        self.border_title = f"Find · {number} of {len(hits)}" if self.value else "Find"


class ReplaceLine(CodeLine):
    """The text that replaces the matches of a search."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "replace", "Replace", key_display="⏎")]

    def __init__(self, editor: CodeEditor, find: FindLine) -> None:
        self._find = find
        super().__init__(editor)
        self.border_title = "Replace with (tab)"

    def on_input_changed(self, event: Input.Changed) -> None:
        """Stop the event, so that the screen does not treat the change as a change to the code."""
        event.stop()

    def action_replace(self) -> None:
        """Replace the selected match and go to the next match."""
        self._find.replace_next(self.value)


class ReplaceAll(Button):
    """Replaces all matches."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    def __init__(self, editor: CodeEditor, find: FindLine, replace: ReplaceLine) -> None:
        self._editor, self._find, self._replace = editor, find, replace
        super().__init__("Replace all", classes=BELOW_CODE, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Replace all matches, and show how many matches there were."""
        event.stop()
        count = self._find.replace_all(self._replace.value)
        self.notify(f"Replaced {count} match{'es' * (count != 1)}. ctrl+z in the code undoes it.", markup=False)

    def action_leave(self) -> None:
        """Return the focus to the editor."""
        _leave(self._editor)


class GoToLine(CodeLine):
    """Moves the cursor of an editor to the line with the typed number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "leave", "Go", key_display="⏎"),
        Binding("escape", "cancel", "Back"),
    ]

    def __init__(self, editor: CodeEditor) -> None:
        self._began_at = editor.selection
        super().__init__(editor, type="integer")
        self.border_title = f"Go to line (1 to {editor.document.line_count})"

    def on_mount(self) -> None:
        """Focus the field."""
        self.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Scroll to the line while its number is being typed; a number past the end selects the last line."""
        event.stop()
        if event.value.isdecimal():
            line = min(max(1, int(event.value)), self._editor.document.line_count)
            self._editor.move_cursor((line - 1, 0), center=True)

    def action_leave(self) -> None:
        """Return the focus to the editor, at the new line."""
        _leave(self._editor)

    def action_cancel(self) -> None:
        """Move the focus back to the editor and restore the cursor position."""
        self._editor.selection = self._began_at
        _leave(self._editor)


def _find_and_replace(editor: CodeEditor) -> list[Widget]:
    find = FindLine(editor)
    replace = ReplaceLine(editor, find)
    return [find, replace, ReplaceAll(editor, find, replace)]


def _unindented(line: str) -> str:
    """Return the line without its first tab or up to four of its leading spaces."""
    if line.startswith("\t"):
        return line[1:]
    return line[min(len(INDENT), len(line) - len(line.lstrip(" "))) :]


def _leave(editor: CodeEditor) -> None:
    editor.focus()
    editor.close_lines()


def is_on_code(widget: object) -> bool:
    """Return whether this widget edits or searches the code."""
    return isinstance(widget, Widget) and (widget.id == "code" or widget.has_class(BELOW_CODE))


class CodeMirror(CodeEditor):
    """A read-only view of the code in the candidate's app, for an observer; tab moves the focus."""

    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.read_only = True

    def show(self, text: str) -> None:
        """Show the text.

        Only lines that differ are replaced, so the scroll position and the highlighting are kept.
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
