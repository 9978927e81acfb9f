"""Lists and fields that show what Enter does, and the footer that shows the keys; the built-in ones hide Enter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Footer, Input, OptionList

from interviewer.tui.bindings import LINE_KEYS


class KeyFooter(Footer):
    """Show the keys that work now.

    Textual composes its footer again whenever bindings may have changed, four times before a screen's first frame. This
    one does so only if they did.
    """

    _composed: tuple[object, ...] = ()

    async def recompose(self) -> None:
        """Compose the keys again if they differ from those on screen."""
        active = self.screen.active_bindings.values() if self.is_attached else ()
        keys = [(self.app.get_key_display(key.binding), key.binding, key.enabled, key.tooltip) for key in active]
        if self._bindings_ready and self._composed != (*keys,):
            self._composed = (*keys,)
            await super().recompose()


class SettingList(OptionList):
    """List settings."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Change")]


class LineInput(Input):
    """Take a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = LINE_KEYS


class Search(LineInput):
    """Take the words to search for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Start")]


class SessionTable(DataTable[Text]):
    """List sessions, one a row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Open")]

    def show(self, heads: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
        """List these rows, each under its key; the cursor stays where it was.

        Widths are measured here: the table measures when it is idle, and what was drawn before that stays drawn.
        """
        at = self.cursor_row
        self.clear(columns=True)
        for place, head in enumerate(heads):
            self.add_column(head, width=max(cell_len(row[place]) for row in (heads, *rows.values())))
        for key, cells in rows.items():
            # Text, because a plain string in a table is parsed as markup.
            self.add_row(*(Text(cell) for cell in cells), key=key)
        self.move_cursor(row=at)
