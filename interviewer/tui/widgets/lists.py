"""Lists and fields whose enter key the footer names; the built-in ones hide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Input, OptionList

from interviewer.tui.bindings import LINE_KEYS


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
