"""Finds words in the code while they are typed; the code is never changed, and escape leads back to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input
from textual.widgets.text_area import Selection

from interviewer.tui.widgets.lists import Line

if TYPE_CHECKING:
    from interviewer.tui.widgets.code_editor import CodeEditor


class FindLine(Line):
    """Select what the words hit in an editor; small letters find capitals too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "step(1)", "Next", key_display="⏎"),
        Binding("up", "step(-1)", "Previous", key_display="↑"),
        Binding("escape", "leave", "Back to the code"),
    ]
    DEFAULT_CSS = "FindLine { height: 2; border: none; border-top: solid $border; padding: 0 1; }"

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._began_at = min(editor.selection)
        super().__init__(editor.selected_text.partition("\n")[0])
        self.border_title = "Find"

    def on_mount(self) -> None:
        """Take the keys."""
        self.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Go to the first hit behind the place where the search began."""
        event.stop()
        hits = self._hits()
        self._show(hits, next((one for one in hits if one.start >= self._began_at), None) or next(iter(hits), None))

    def action_step(self, step: int) -> None:
        """Go to the next hit, or the one before; behind the last comes the first."""
        hits, here = self._hits(), min(self._editor.selection)
        if step > 0:
            found = next((one for one in hits if one.start > here), None) or next(iter(hits), None)
        else:
            found = next((one for one in reversed(hits) if one.start < here), None) or next(reversed(hits), None)
        self._show(hits, found)

    def action_leave(self) -> None:
        """Give the keys back to the editor, which keeps the selection."""
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
    """Return whether who types here works on the code: in the editor, or in the line that searches it."""
    return isinstance(widget, FindLine) or getattr(widget, "id", None) == "code"
