"""Home: what works here, and the ways in; it loads nothing that the first picture does not show."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.session.plan import QUESTION_MINUTES, Wishes
from interviewer.tui.choices import InterviewChosen
from interviewer.tui.printable import in_words, printable
from interviewer.tui.trouble import advice
from interviewer.tui.widgets.lists import Menu
from interviewer.tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from interviewer.kit import Kit

STATUS_SECONDS = 1.0
LENGTHS_MINUTES = (20.0, 45.0, 60.0)
TITLE = "interviewer"
TAGLINE = "Practice for RL and LLM-training interviews."


class HomeScreen(Screen[None]):
    """Offer what can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "resume", "Continue", show=False),
        Binding("m", "mock", "Mock interview", show=False),
        Binding("d", "drill", "Drill one question", show=False),
        Binding("t", "task", "Coding task", show=False),
        Binding("l", "log", "Log", show=False),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._unfinished = ""

    def compose(self) -> ComposeResult:
        """Yield title, menu and status."""
        yield TooSmall()
        with Vertical(id="home"):
            yield Static(TITLE, id="title", markup=False)
            yield Static(TAGLINE, id="tagline", markup=False)
            yield Menu(id="menu")
            yield Static("", id="status", markup=False)
        yield Footer()

    def on_screen_resume(self) -> None:
        """Draw anew: a session may have begun or ended meanwhile."""
        menu = self.query_one(OptionList)
        at = menu.highlighted or 0
        options = self._options()
        menu.clear_options()
        menu.add_options(options)
        menu.highlighted = min(at, len(options) - 1)
        menu.focus()
        self._show_status()

    def on_mount(self) -> None:
        """Show anew from time to time whether a cell is warm."""
        self.set_interval(STATUS_SECONDS, self._show_status)

    def _show_status(self) -> None:
        self.query_one("#status", Static).update("\n".join(printable(line) for line in self._kit.status()))

    def _options(self) -> list[Option]:
        rows = [
            ("mock", "m", "Mock interview", "questions and a coding task, against the clock"),
            ("drill", "d", "Drill one question", "climb its ladder until it breaks"),
            ("task", "t", "Coding task", "write it, submit it, be asked about it"),
            ("log", "l", "Log", "past sessions and their debriefs"),
            ("app.quit", "q", "Quit", ""),
        ]
        try:
            line = self._kit.unfinished()
        except Exception as error:
            self.notify(advice(error), title="The practice log cannot be used", severity="error", markup=False)
            line = None
        self._unfinished = line.id if line else ""
        if line:
            since = time.strftime("%d %b %H:%M", time.localtime(line.started_at))
            rows.insert(0, ("resume", "c", "Continue", f"{since} · {in_words(line.parts)}"))
        return [Option(_menu_row(key, label, detail), id=action) for action, key, label, detail in rows]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what was chosen; a menu entry's id is the name of its action."""
        self.call_later(self.run_action, event.option_id or "")

    def action_resume(self) -> None:
        """Continue the unfinished session."""
        if self._unfinished:
            wanted = self._unfinished
            self.post_message(InterviewChosen(lambda: self._kit.resume(wanted)))
        else:
            self.notify("There is no unfinished session: m starts a mock interview.", markup=False)

    def action_mock(self) -> None:
        """Ask how long, then start."""
        from interviewer.tui.screens.choice import Choice, ChoiceScreen

        lengths = sorted({*LENGTHS_MINUTES, self._kit.settings.minutes})
        choices = [Choice(f"{minutes:g}", f"{minutes:g} minutes", _what_fits(minutes)) for minutes in lengths]
        preset = lengths.index(self._kit.settings.minutes)
        text = "The clock runs while you are in it. You can leave at any time and continue later."
        self.app.push_screen(ChoiceScreen("Mock interview", text, choices, preset), self._start_mock)

    def _start_mock(self, minutes: str | None) -> None:
        if minutes:
            self._start(Wishes(minutes=float(minutes)))

    def action_drill(self) -> None:
        """Pick a question, then start."""
        self._pick(self._pick_question)

    def action_task(self) -> None:
        """Pick a task, then start."""
        self._pick(self._pick_task)

    def action_log(self) -> None:
        """Open the log."""
        from interviewer.tui.screens.log import LogScreen

        self.app.push_screen(LogScreen(self._kit))

    def _pick(self, open_list: Callable[[], None]) -> None:
        try:
            open_list()
        except Exception as error:
            self.notify(advice(error), title="The list cannot be shown", severity="error", markup=False, timeout=12)

    def _pick_question(self) -> None:
        from interviewer.tui.screens.pick import Pickable, PickScreen

        rows = [
            Pickable(one.id, f"level {one.level} · {in_words(', '.join(one.topics))}", one.prompt)
            for one in self._kit.questions
        ]
        self.app.push_screen(PickScreen("Drill one question", rows), self._start_question)

    def _start_question(self, question: str | None) -> None:
        if question:
            self._start(Wishes(minutes=QUESTION_MINUTES, questions=(question,)))

    def _pick_task(self) -> None:
        from interviewer.tui.screens.pick import Pickable, PickScreen

        rows = [
            Pickable(one.id, f"{one.kind} · {one.minutes:g} min · {in_words(', '.join(one.topics))}", one.statement)
            for one in self._kit.tasks
        ]
        self.app.push_screen(PickScreen("Coding task", rows), self._start_task)

    def _start_task(self, task: str | None) -> None:
        if task:
            minutes = next(one.minutes for one in self._kit.tasks if one.id == task)
            self._start(Wishes(minutes=minutes, tasks=(task,)))

    def _start(self, wishes: Wishes) -> None:
        self.post_message(InterviewChosen(lambda: self._kit.new_interview(wishes)))


def _menu_row(key: str, label: str, detail: str) -> Content:
    return Content.assemble((f"{key}  ", "$primary"), f"{label:21}", (printable(detail), "$secondary"))


def _what_fits(minutes: float) -> str:
    if minutes < 30:
        return "one or two questions"
    return "questions and a coding task" if minutes < 50 else "more of both"
