"""The sessions in the practice log, most recent first: filter, open, continue, show moves, search, overview."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Static

from interviewer.interview.challenge import code_block
from interviewer.interview.sessions import load_session, resume_interview
from interviewer.log.progress import (
    SearchResult,
    SessionOutcome,
    overview_text,
    search_results,
    session_outcomes,
    transcript_text,
)
from interviewer.tui.background import run_in_background
from interviewer.tui.messages import DebriefChosen, InterviewChosen
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.dialogs import PromptScreen
from interviewer.tui.screens.pick import Pickable, PickScreen
from interviewer.tui.screens.reading import ReadingScreen
from interviewer.tui.text_format import advice, in_words, printable
from interviewer.tui.widgets.lists import KeyFooter, SessionTable

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

HEADS = ("Started", "Min", "State", "Result", "Examiner")
NOTHING_YET = "No sessions yet. Press esc, then m, to start a mock interview."
NOTHING_LEFT = "No matching sessions. Press f to change the filter."


class SessionLine(NamedTuple):
    """The session data that is known before the session's events are read."""

    id: str
    started_at: float
    is_finished: bool
    examiner: str
    parts: str


class LogScreen(BaseScreen[None]):
    """List sessions."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "transcript", "Moves"),
        Binding("slash", "search", "Search"),
        Binding("f", "filter", "Filter"),
        Binding("o", "overview", "Overview"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._app_context = context
        self._lines: Sequence[SessionLine] = ()
        self._outcomes: Mapping[str, SessionOutcome] = {}
        self._only = ""
        self._is_asking = False

    def compose(self) -> ComposeResult:
        """Yield the table, and a message that is shown if the table is empty."""
        yield TooSmall()
        yield Static("Log", classes="topbar", id="title", markup=False)
        yield Static("", id="empty", markup=False)
        yield SessionTable(cursor_type="row", id="sessions")
        yield KeyFooter(show_command_palette=False)

    def on_screen_resume(self) -> None:
        """Reload the list unless only a dialog was open: on a different screen, a session may have ended."""
        if self._is_asking:
            self._is_asking = False
            self.query_one(SessionTable).focus()
            return
        try:
            self._lines = [
                SessionLine(
                    session.id,
                    session.started_at,
                    session.ended_at is not None,
                    printable(session.examiner),
                    printable(self._app_context.task_names.titles_of(session.parts)),
                )
                for session in self._app_context.log.sessions()
            ]
        except Exception as error:
            self._complain(error)
            self._lines = ()
        self._draw()
        self.query_one(SessionTable).focus()
        self._read_outcomes()

    def _draw(self) -> None:
        """List the sessions that match the filter; their outcomes appear once the log has been read."""
        table, rows = self.query_one(SessionTable), {}
        for line in self._lines:
            outcome = self._outcomes.get(line.id)
            cells = self._cells(line, outcome)
            heard = " ".join((*cells, line.parts, *(outcome.topics if outcome else ()))).lower().replace("_", " ")
            if all(word in heard for word in self._only.lower().replace("_", " ").split()):
                rows[line.id] = cells
        table.show(HEADS, rows)
        self.query_one("#title", Static).update(f"Log · filter: {self._only} · f: change" if self._only else "Log")
        empty = self.query_one("#empty", Static)
        empty.update(NOTHING_LEFT if self._lines else NOTHING_YET)
        empty.display = not rows
        table.display = bool(self._lines)

    def _cells(self, line: SessionLine, outcome: SessionOutcome | None) -> tuple[str, ...]:
        started = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.started_at))
        state = "finished" if line.is_finished else "open"
        came = outcome.text if outcome else line.parts
        return started, str(outcome.minutes) if outcome else "", state, in_words(came), line.examiner

    def _read_outcomes(self) -> None:
        def show(outcomes: Mapping[str, SessionOutcome]) -> None:
            self._outcomes = outcomes
            self._draw()

        # If the log cannot be read, the list already shows the error.
        run_in_background(self, lambda: session_outcomes(self._app_context.history()), show, lambda _: None)

    def action_filter(self) -> None:
        """Ask for a filter."""
        text = "A topic, question, task, verdict, examiner or date (like 2026-11). Leave empty to clear the filter."
        self._is_asking = True
        self.app.push_screen(PromptScreen("Filter the list", text, self._only), self._filter_by)

    def _filter_by(self, words: str | None) -> None:
        if words is not None:
            self._only = words
            self._draw()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Show the debrief of a finished session, or continue an unfinished one."""
        self._open(event.row_key.value or "")

    def action_transcript(self) -> None:
        """Show all moves of the session under the cursor."""
        table = self.query_one(SessionTable)
        if table.row_count:
            session = table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value or ""
            self._read(
                f"Session {session}", lambda: code_block(transcript_text(self._app_context.events(session)), "text")
            )

    def action_overview(self) -> None:
        """Show topics, tasks, misconceptions and due reviews."""
        self._read("Overview", self._overview_text)

    def _overview_text(self) -> str:
        return overview_text(self._app_context.history(), self._app_context.known_content, time.time())

    def action_search(self) -> None:
        """Prompt for search terms, then show the matches."""
        text = "Searches questions, answers and code. Not case-sensitive."
        self.app.push_screen(PromptScreen("Search the log", text, ""), self._search)

    def _search(self, words: str | None) -> None:
        if words:
            self._look_up(words)

    def _look_up(self, words: str) -> None:
        def rows() -> list[Pickable]:
            return [
                _match_row(number, match)
                for number, match in enumerate(search_results(self._app_context.history(), words))
            ]

        run_in_background(self, rows, partial(self._show_matches, words), self._complain)

    def _show_matches(self, words: str, rows: Sequence[Pickable]) -> None:
        def open_picked(picked: str | None) -> None:
            session = (picked or "").partition(" ")[2]
            if session in {line.id for line in self._lines}:
                self._open(session)
            elif session:
                self.notify("This is a single submission; it does not belong to a session.", markup=False)

        if rows:
            self.app.push_screen(PickScreen(f"“{words}” in the log", rows), open_picked)
        else:
            self.notify(f"No matches for “{words}” in the log.", markup=False)

    def _read(self, title: str, make: Callable[[], str]) -> None:
        def show(text: str) -> None:
            self.app.push_screen(ReadingScreen(title, text))

        run_in_background(self, make, show, self._complain)

    def _complain(self, error: BaseException) -> None:
        self.notify(advice(error), title="Could not read the practice log", severity="error", markup=False)

    def _open(self, wanted: str) -> None:
        if not next(line.is_finished for line in self._lines if line.id == wanted):
            self.post_message(InterviewChosen(lambda: resume_interview(self._app_context, wanted)))
            return
        try:
            session = load_session(self._app_context.log, wanted)
        except Exception as error:
            self.notify(advice(error), title=f"Session {wanted}", severity="error", markup=False, timeout=12)
            return
        self.post_message(DebriefChosen(session))


def _match_row(number: int, match: SearchResult) -> Pickable:
    # The preview is Markdown, but the text may contain any characters. A code block shows it unchanged.
    excerpt = printable(match.excerpt)
    return Pickable(f"{number} {match.session}", printable(match.description), code_block(excerpt, ""), excerpt)
