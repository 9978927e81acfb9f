"""The home screen: setup status and menu. This module imports only modules that are needed for the first frame."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from interviewer.errors import InterviewerError
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.lists import KeyFooter

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
    from interviewer.log.progress import Progress
    from interviewer.tui.screens.doctor import Finding

STATUS_SECONDS = 1.0
READ_AFTER_SECONDS = 0.2
TITLE = "interviewer"
TAGLINE = "Practice for RL and LLM-training interviews."
NO_SESSION = "no unfinished session"
CHECKING = "Checking your setup …"
ALL_PASSED = "All checks passed."
# A PyTorch installation in progress is shown on a separate line.
OTHERS_PASSED = "All other checks passed."
NO_MODEL = "Press y to set up a language model (API key or local server)."
NOT_DUE = "nothing is due; what you practice will show up here"


class Menu(OptionList):
    """The home menu."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose")]


class Waiting(NamedTuple):
    """The session to continue ("" if there is no such session), its menu text, and whether the log is empty."""

    session: str
    says: str
    is_first_run: bool = False


NOBODY = Waiting("", "")
# If the user chooses "Resume" before the log has been read, the log is read immediately.
NOT_KNOWN_YET = Waiting("", "looking for an unfinished session …")


class Destinations(Protocol):
    """The screens that the home screen can open, and the data that the home screen shows about them."""

    findings: Sequence[Finding]

    @property
    def due_count(self) -> int:
        """Return the number of reviews due today; 0 if it is not known yet."""
        ...

    @property
    def next_due(self) -> str:
        """Return the time of the next review after today; "" if the time is not known yet."""
        ...

    def set_progress(self, practice: Progress) -> None:
        """Store the practice progress so far."""
        ...

    def examine(self) -> None:
        """Run the setup checks. Blocks."""
        ...

    def resume(self, session: str) -> None:
        """Continue a session."""
        ...

    def go(self, destination: str) -> None:
        """Open the destination with this id. Raises KeyError if there is no such destination."""
        ...


class HomeScreen(BaseScreen[None]):
    """The home menu. A menu entry that cannot be chosen shows the reason."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "open('resume')", "Resume", show=False),
        Binding("m", "open('mock')", "Mock interview", show=False),
        Binding("t", "open('challenge')", "Timed challenge", show=False),
        Binding("d", "open('drill')", "Drill a topic", show=False),
        Binding("u", "open('due')", "Due today", show=False),
        Binding("b", "open('browse')", "Browse", show=False),
        Binding("slash", "open('browse')", "Search", show=False),
        Binding("l", "open('log')", "Log", show=False),
        Binding("s", "open('settings')", "Settings", show=False),
        Binding("x", "open('doctor')", "Doctor", show=False),
        Binding("y", "open('setup')", "Model setup", show=False),
        Binding("j", "move(1)", "Down", show=False),
        Binding("k", "move(-1)", "Up", show=False),
    ]

    def __init__(self, context: AppContext, destinations: Destinations) -> None:
        super().__init__()
        self._app_context = context
        self._destinations = destinations
        self._waiting = NOT_KNOWN_YET
        self._doctor_said = ""
        # The progress of the PyTorch installation is not read before the first frame.
        self._installation = ""
        self._has_told_notices = False

    def compose(self) -> ComposeResult:
        """Yield the title, the menu and the status."""
        yield TooSmall()
        with Vertical(id="home"):
            yield Static(TITLE, id="title", markup=False)
            yield Static(TAGLINE, id="tagline", markup=False)
            yield Menu(id="menu")
            yield Static("", id="status", markup=False)
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Redraw, because a session may have started or ended while another screen was open."""
        if self._waiting is not NOT_KNOWN_YET:
            self._look()
        if self._doctor_said not in ("", CHECKING) and self._destinations.findings:
            self._show_findings(None)
        self._draw()
        # The log is read after a delay, so that the first frame does not wait for it.
        self.set_timer(READ_AFTER_SECONDS, self._read_log)

    def on_mount(self) -> None:
        """Every STATUS_SECONDS, update the status of the warm sandbox cells and of the torch installation."""
        self.set_interval(STATUS_SECONDS, self._update_status)

    def action_open(self, destination: str) -> None:
        """Open the destination with this id; the id "resume" continues the unfinished session."""
        if destination != "resume":
            self._destinations.go(destination)
            return
        if self._waiting is NOT_KNOWN_YET:
            self._look()
            self._draw_if_shown()
        if self._waiting.session:
            self._destinations.resume(self._waiting.session)
        else:
            self.notify("No unfinished session. Press m to start a mock interview.", markup=False)

    def action_move(self, step: int) -> None:
        """Move the menu cursor."""
        menu = self.query_one(OptionList)
        if step > 0:
            menu.action_cursor_down()
        else:
            menu.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the chosen entry; a menu entry's id is the name of its destination."""
        chosen = event.option_id or ""
        self.call_later(self.run_action, chosen if chosen == "app.quit" else f"open('{chosen}')")

    def _draw(self) -> None:
        menu = self.query_one(OptionList)
        at = menu.highlighted_option.id if menu.highlighted_option else None
        options = self._options()
        menu.clear_options()
        menu.add_options(options)
        possible = [place for place, option in enumerate(options) if not option.disabled]
        same = next((place for place in possible if options[place].id == at), possible[0])
        menu.highlighted = same
        menu.focus()
        self._show_status()

    def _update_status(self) -> None:
        self._installation = self._app_context.installation_line()
        self._show_status()

    def _show_status(self) -> None:
        model = NO_MODEL if self._lacks_model() else ""
        is_installing = bool(self._installation) and self._doctor_said == ALL_PASSED
        checks = OTHERS_PASSED if is_installing else self._doctor_said
        lines = [*self._app_context.status(), self._installation, model, checks]
        self.query_one("#status", Static).update("\n".join(printable(line) for line in lines if line))

    def _lacks_model(self) -> bool:
        """Return whether this is the first run and there is neither a model nor an API key."""
        settings = self._app_context.settings
        if not self._waiting.is_first_run or settings.examiner == "offline" or settings.model:
            return False
        try:
            return not self._app_context.model_name
        except InterviewerError:
            return True

    def _options(self) -> list[Option]:
        due, next_due = self._destinations.due_count, self._destinations.next_due
        not_due = f"nothing is due today; next {next_due}" if next_due else NOT_DUE
        waiting = self._waiting.says
        rows = [
            ("resume", "r", "Resume", waiting or NO_SESSION, bool(waiting)),
            ("mock", "m", "Mock interview", "questions and a coding task, against the clock", True),
            ("challenge", "t", "Timed challenge", "write code, get it graded, see the solution", True),
            ("drill", "d", "Drill a topic", "20 minutes on a topic you choose", True),
            ("due", "u", "Due today", f"{due} to review" if due else not_due, bool(due)),
            ("browse", "b", "Browse", "search all questions and tasks", True),
            ("log", "l", "Log", "past sessions and their debriefs", True),
            ("settings", "s", "Settings", "model, sandbox, theme, keys", True),
            ("doctor", "x", "Doctor", "what works on this machine, and how to fix the rest", True),
            ("app.quit", " ", "Quit", "ctrl+q", True),
        ]
        return [
            Option(_menu_row(key, label, detail), id=way, disabled=not is_possible)
            for way, key, label, detail, is_possible in rows
        ]

    def _find_waiting(self) -> Waiting:
        """Return the unfinished session from the log. Blocks while the log file is being opened.

        Raises LogError if the log cannot be used.
        """
        line = self._app_context.log.unfinished()
        if line is None:
            return Waiting("", "", is_first_run=not self._app_context.log.sessions())
        began = time.strftime("%d %b %H:%M", time.localtime(line.started_at))
        return Waiting(line.id, f"{began} · {self._app_context.task_names.titles_of(line.parts)}")

    def _look(self) -> None:
        try:
            found = self._find_waiting()
        except Exception as error:
            self._show_no_log(error)
        else:
            self._show_waiting(found)

    def _show_waiting(self, found: Waiting) -> None:
        self._waiting = found
        self._tell_notices()

    def _show_no_log(self, error: Exception) -> None:
        self._waiting = NOBODY
        self._draw_if_shown()
        self.notify(advice(error), title="Could not open the practice log", severity="error", markup=False)

    def _tell_notices(self) -> None:
        """Show the notices from opening the log, such as the new location of a damaged file, but only once."""
        if not self._has_told_notices:
            self._has_told_notices = True
            for notice in self._app_context.log.notices:
                self.notify(notice, title="The practice log", severity="warning", markup=False, timeout=30)

    def _read_log(self) -> None:
        """Read the unfinished session from the log, and then the due reviews."""

        def go_on(found: Waiting) -> None:
            if self._waiting is NOT_KNOWN_YET:
                self._show_waiting(found)
                self._draw_if_shown()
            self._read_log()

        if self._waiting is not NOT_KNOWN_YET:
            run_in_background(self, self._app_context.progress, self._show_practice, lambda _: None)
        else:
            run_in_background(self, self._find_waiting, go_on, self._show_no_log)

    def _show_practice(self, practice: Progress) -> None:
        self._destinations.set_progress(practice)
        self._draw_if_shown()
        if self._waiting.is_first_run and not self._doctor_said:
            # Run the checks only on the first start: they take seconds of CPU time, and later the user can open Doctor
            # with a single key.
            self._doctor_said = CHECKING
            run_in_background(self, self._destinations.examine, self._show_findings, self._show_no_findings)

    def _show_findings(self, _: None) -> None:
        lacking = [finding.name for finding in self._destinations.findings if not finding.is_ok]
        to_fix = f"To fix: {', '.join(lacking)}. Press x for instructions. Press m to start an interview now."
        self._doctor_said = to_fix if lacking else ALL_PASSED
        self._installation = self._app_context.installation_line()
        self._draw_if_shown()

    def _show_no_findings(self, error: Exception) -> None:
        self._doctor_said = f"The checks failed to run ({error}). Press x to try again."
        self._draw_if_shown()

    def _draw_if_shown(self) -> None:
        if self.is_current:
            self._draw()


def _menu_row(key: str, label: str, detail: str) -> Content:
    return Content.assemble((f"{key}  ", "$primary"), f"{label:18}", (printable(detail), "$secondary"))
