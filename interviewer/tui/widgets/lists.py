"""Lists, input fields and a footer that show the Enter key's label; Textual's own widgets hide this label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, OptionList

from interviewer.tui.bindings import LINE_KEYS

# Even on a narrow screen, no table column is narrower than this.
COLUMN_WIDTH_MIN = 8


class KeyFooter(Footer):
    """A footer with the current keys.

    Textual recomposes its footer whenever bindings may have changed, four times before a screen's first frame. This
    footer only recomposes if the bindings have actually changed.
    """

    _composed: tuple[object, ...] = ()

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Show the keys even without focus, because a page in a browser has no focus before the first click."""
        self._bindings_ready = True
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self.recompose)

    async def recompose(self) -> None:
        """Recompose if the keys differ from those on screen."""
        active = self.screen.active_bindings.values() if self.is_attached else ()
        keys = [(self.app.get_key_display(key.binding), key.binding, key.enabled, key.tooltip) for key in active]
        if self._bindings_ready and self._composed != (*keys,):
            self._composed = (*keys,)
            await super().recompose()


class SettingList(OptionList):
    """A list of settings."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Change")]


class LineInput(Input, inherit_bindings=False):
    """A field for a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = LINE_KEYS


class Search(LineInput):
    """A search field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Start")]


class SessionTable(DataTable[Text]):
    """A table of sessions."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Open")]

    _shown: tuple[Sequence[str], Mapping[str, Sequence[str]]] | None = None
    _shown_width = 0

    def show(self, heads: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
        """Show these rows, given as a dict from row key to cells, and keep the cursor position.

        The widest columns wrap if the table is too narrow.

        Column widths are computed here, because the table only measures them when idle and does not redraw earlier
        rows.
        """
        self._shown, self._shown_width = (heads, rows), self.size.width
        at = self.cursor_row
        self.clear(columns=True)
        widths = [max(cell_len(row[place]) for row in (heads, *rows.values())) for place in range(len(heads))]
        room = self.size.width - self.scrollbar_size_vertical - 2 * self.cell_padding * len(heads)
        while max(widths) > COLUMN_WIDTH_MIN and sum(widths) > room > 0:
            widths[widths.index(max(widths))] -= 1
        for head, width in zip(heads, widths, strict=True):
            self.add_column(head, width=width)
        for key, cells in rows.items():
            wrapped = [self._wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
            self.add_row(*wrapped, key=key, height=max(cell.plain.count("\n") for cell in wrapped) + 1)
        self.move_cursor(row=at)

    def on_resize(self) -> None:
        """Rewrap the rows to fit the new width."""
        if self._shown and self.size.width != self._shown_width:
            self.show(*self._shown)

    def _wrapped(self, cell: str, width: int) -> Text:
        # Use Text, because a table parses plain strings as markup.
        text = Text(cell)
        return text if cell_len(cell) <= width else Text("\n").join(text.wrap(self.app.console, width))
