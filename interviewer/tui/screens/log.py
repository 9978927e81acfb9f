"""The sessions in the practice log, latest first; a finished one opens its debrief, another one continues."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from interviewer.tui.choices import DebriefChosen, InterviewChosen
from interviewer.tui.printable import in_words, printable
from interviewer.tui.trouble import advice
from interviewer.tui.widgets.lists import SessionTable
from interviewer.tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from interviewer.kit import Kit


class LogScreen(Screen[None]):
    """List sessions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._finished: dict[str, bool] = {}

    def compose(self) -> ComposeResult:
        """Yield the table and what to say when it is empty."""
        yield TooSmall()
        yield Static("Log", classes="topbar", markup=False)
        yield Static("No sessions yet. Escape goes home; m starts a mock interview there.", id="empty", markup=False)
        table = SessionTable(cursor_type="row", id="sessions")
        table.add_columns("Started", "State", "Examiner", "Parts")
        yield table
        yield Footer()

    def on_screen_resume(self) -> None:
        """Draw anew: a session may have ended meanwhile."""
        table = self.query_one(SessionTable)
        at = table.cursor_row
        table.clear()
        self._fill(table)
        self.query_one("#empty").display = table.row_count == 0
        table.display = table.row_count > 0
        table.move_cursor(row=at)
        table.focus()

    def _fill(self, table: SessionTable) -> None:
        try:
            lines = self._kit.sessions()
        except Exception as error:
            self.notify(advice(error), title="The practice log cannot be read", severity="error", markup=False)
            lines = []
        self._finished = {line.id: line.ended_at is not None for line in lines}
        for line in lines:
            started = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.started_at))
            state = "finished" if self._finished[line.id] else "open"
            cells = (started, state, printable(line.examiner), in_words(printable(line.parts)))
            # Text, because a plain string in a table is parsed as markup.
            table.add_row(*(Text(cell) for cell in cells), key=line.id)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Show the debrief of a finished session, continue another."""
        wanted = event.row_key.value or ""
        if not self._finished[wanted]:
            self.post_message(InterviewChosen(lambda: self._kit.resume(wanted)))
            return
        try:
            session = self._kit.past(wanted)
        except Exception as error:
            self.notify(advice(error), title=f"Session {wanted}", severity="error", markup=False, timeout=12)
            return
        self.post_message(DebriefChosen(session))
