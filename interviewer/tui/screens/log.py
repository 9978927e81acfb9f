"""The sessions in the practice log, latest first: debrief or continue, every move, search, what the weeks add up to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from interviewer.solution import fenced
from interviewer.tui.choices import DebriefChosen, InterviewChosen
from interviewer.tui.printable import in_words, printable
from interviewer.tui.screens.ask import AskScreen
from interviewer.tui.screens.pick import Pickable, PickScreen
from interviewer.tui.screens.reading import ReadingScreen
from interviewer.tui.trouble import advice
from interviewer.tui.widgets.lists import SessionTable
from interviewer.tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from interviewer.kit import Kit


class LogScreen(Screen[None]):
    """List sessions."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "transcript", "Every move"),
        Binding("slash,f", "search", "Search"),
        Binding("o", "overview", "Overview"),
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
        self._open(event.row_key.value or "")

    def action_transcript(self) -> None:
        """Show the session under the cursor move by move."""
        table = self.query_one(SessionTable)
        if table.row_count:
            session = table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value or ""
            self._read(f"Session {session}", lambda: fenced(lookback().transcript_text(self._kit, session), "text"))

    def action_overview(self) -> None:
        """Show topics, tasks, misconceptions and what is due."""
        self._read("Overview", lambda: lookback().overview_text(self._kit))

    def action_search(self) -> None:
        """Ask for words, then show where they are."""
        text = "In questions, answers and code; upper and lower case are the same."
        self.app.push_screen(AskScreen("Search the log", text, ""), self._search)

    def _search(self, words: str | None) -> None:
        if words:
            self._look_up(words)

    @work(thread=True, group="look", exclusive=True, exit_on_error=False)
    def _look_up(self, words: str) -> None:
        try:
            found = lookback().places_with(self._kit, words)
        except Exception as error:
            self.app.call_from_thread(self._complain, error)
        else:
            rows = [
                Pickable(f"{number} {one.session}", one.what, one.excerpt, printable(one.excerpt))
                for number, one in enumerate(found)
            ]
            self.app.call_from_thread(self._show_found, words, rows)

    def _show_found(self, words: str, rows: Sequence[Pickable]) -> None:
        def open_picked(picked: str | None) -> None:
            session = (picked or "").partition(" ")[2]
            if session in self._finished:
                self._open(session)
            elif session:
                self.notify("That is a single submission; it has no session to open.", markup=False)

        if rows:
            self.app.push_screen(PickScreen(f"“{words}” in the log", rows), open_picked)
        else:
            self.notify(f"Nothing in the log holds “{words}”.", markup=False)

    @work(thread=True, group="look", exclusive=True, exit_on_error=False)
    def _read(self, title: str, make: Callable[[], str]) -> None:
        try:
            text = make()
        except Exception as error:
            self.app.call_from_thread(self._complain, error)
        else:
            self.app.call_from_thread(self.app.push_screen, ReadingScreen(title, text))

    def _complain(self, error: BaseException) -> None:
        self.notify(advice(error), title="The practice log cannot be read", severity="error", markup=False)

    def _open(self, wanted: str) -> None:
        if not self._finished[wanted]:
            self.post_message(InterviewChosen(lambda: self._kit.resume(wanted)))
            return
        try:
            session = self._kit.past(wanted)
        except Exception as error:
            self.notify(advice(error), title=f"Session {wanted}", severity="error", markup=False, timeout=12)
            return
        self.post_message(DebriefChosen(session))


def lookback() -> ModuleType:
    """Return what reads the log; imported with the first look, since it brings the whole log room along."""
    from interviewer import lookback as module

    return module
