"""The ways from home into everything else; each asks what it must, and then posts what was chosen to the app."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from interviewer.tui.choices import InterviewChosen
from interviewer.tui.error_text import advice
from interviewer.tui.printable import in_words

if TYPE_CHECKING:
    from interviewer.interview.challenge import TaskSet
    from interviewer.interview.context import Kit
    from interviewer.log.progress import Practice
    from interviewer.session.question import TaskBrief
    from interviewer.tui.screens.doctor import Examine, Finding

LENGTHS_MINUTES = (20.0, 45.0, 60.0)
DRILL_MINUTES = 20.0
# By hand, by weakness, by chance; a set has its own id.
PICK, WEAKEST, CHANCE = "pick", "weakest", "chance"
PACES = ((1.0, "as planned"), (1.5, "at ease"), (0.5, "in half the time"))


class WaysIn:
    """Open dialogs and screens over the one that is shown; what was practised and `findings` come when known."""

    def __init__(self, app: App[Any], kit: Kit, examine: Examine) -> None:
        self._app = app
        self._kit = kit
        self._examine = examine
        self._practice: Practice | None = None
        self.findings: Sequence[Finding] = ()

    @property
    def practice(self) -> Practice:
        """Return what was practised so far, as far as it is known."""
        from interviewer.log.progress import NOTHING_YET

        return self._practice or NOTHING_YET

    @property
    def due_count(self) -> int:
        """Return how much is due today, as far as it is known."""
        return len(self._practice.due) if self._practice else 0

    @property
    def next_due(self) -> str:
        """Return when something is due after today, "" while there is nothing or it is not known."""
        at = self._practice.next_due_at if self._practice else None
        return "" if at is None else time.strftime("%d %b %H:%M", time.localtime(at))

    def learn(self, practice: Practice) -> None:
        """Take what was practised so far."""
        self._practice = practice

    def named(self) -> Mapping[str, Callable[[], None]]:
        """Return every way by the name that the palette shows."""
        return {
            "Mock interview": self.mock,
            "Timed challenge": self.challenge,
            "Drill a topic": self.drill,
            "Due today": self.due,
            "Browse questions and tasks": self.browse,
            "Log": self.log,
            **self.harmless(),
        }

    def harmless(self) -> Mapping[str, Callable[[], None]]:
        """Return the ways that may be taken while a session runs."""
        return {"Settings": self.settings, "Doctor": self.doctor, "Errors": self.errors}

    def examine(self) -> None:
        """Find out what works here. Blocks."""
        self.findings = self._examine()

    def resume(self, session: str) -> None:
        """Continue a session."""
        self._open(lambda: self._kit.resume(session))

    def mock(self) -> None:
        """Ask how long, then start a mock interview."""
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        own = self._kit.settings.minutes
        lengths = sorted({*LENGTHS_MINUTES, own})
        choices = [Choice(f"{minutes:g}", f"{minutes:g} minutes", _what_fits(minutes)) for minutes in lengths]
        text = "The clock runs while you are in it and cannot be paused. You can leave at any time and continue later."

        def start(minutes: str | None) -> None:
            if minutes:
                self._start(minutes=float(minutes))

        self._app.push_screen(ChoiceScreen("Mock interview", text, choices, lengths.index(own)), start)

    def drill(self) -> None:
        """Ask for a topic, then start a short interview about it."""
        from interviewer.tui.screens.pick import Pickable, PickScreen

        def start(topic: str | None) -> None:
            if topic:
                self._start(minutes=DRILL_MINUTES, focus=(topic,))

        def rows() -> Screen[str | None]:
            found: dict[str, list[str]] = {}
            for one in self._kit.questions:
                for topic in one.topics:
                    found.setdefault(topic, []).append(one.id)
            listed = [
                Pickable(
                    topic, f"{len(ids)} question{'s' * (len(ids) > 1)}", "\n".join(f"- {in_words(i)}" for i in ids)
                )
                for topic, ids in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
            ]
            return PickScreen("Drill a topic", listed)

        self._push(rows, start)

    def browse(self) -> None:
        """Show all questions and tasks; a picked question is drilled, a picked task is offered as a challenge."""
        from interviewer.tui.screens.browse import BrowseScreen

        self._push(lambda: BrowseScreen(self._kit), self._start_picked)

    def challenge(self) -> None:
        """Ask which task or set, then offer it."""
        from interviewer.interview.challenge import SETS
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        choices = [
            Choice(PICK, "Pick a task", "from the list"),
            Choice(WEAKEST, "My weakest", "not passed first, then never tried"),
            Choice(CHANCE, "By chance", "any task"),
            *(Choice(one.id, one.title, "several tasks, one clock") for one in SETS),
        ]
        text = "Code against the clock. You may pause; hints cost; the solution opens after passing or giving up."
        self._app.push_screen(ChoiceScreen("Timed challenge", text, choices), self._choose_task)

    def due(self) -> None:
        """Show what is due today; picking starts it."""
        from interviewer.tui.screens.pick import Pickable, PickScreen

        if not self.practice.due:
            next_due = f" Next: {self.next_due}." if self.next_due else ""
            self._app.notify(f"Nothing is due today.{next_due}", markup=False)
            return
        rows = []
        for one in self.practice.due:
            rungs = f" · rungs {', '.join(map(str, one.rungs))}" if one.rungs else ""
            detail = f"{one.kind}{rungs} · last time: {one.last.why}"
            rows.append(Pickable(f"{one.kind}/{one.id}", detail, _why_due(one.start), in_words(one.id)))
        self._push(lambda: PickScreen("Due today", rows), self._start_picked)

    def log(self) -> None:
        """Open the log."""
        from interviewer.tui.screens.log import LogScreen

        self._push(lambda: LogScreen(self._kit), lambda _: None)

    def settings(self) -> None:
        """Open the settings."""
        from interviewer.tui.screens.settings import SettingsScreen

        self._push(lambda: SettingsScreen(self._kit), lambda _: None)

    def doctor(self) -> None:
        """Show what works here."""
        from interviewer.tui.screens.doctor import DoctorScreen

        self._push(lambda: DoctorScreen(self._examine, self.findings, self.errors), lambda _: None)

    def errors(self) -> None:
        """List what went wrong on the app's side; a picked one is shown whole."""
        from interviewer.tui.screens import errors

        def show(picked: str | None) -> None:
            if picked:
                self._app.push_screen(errors.one_error(picked), lambda _: self.errors())

        self._push(errors.all_errors, show)

    def _start_picked(self, picked: str | None) -> None:
        from interviewer.session.plan import QUESTION_MINUTES

        kind, _, name = (picked or "").partition("/")
        if kind == "question":
            self._start(minutes=QUESTION_MINUTES, questions=(name,))
        elif kind == "task":
            self._offer([one for one in self._kit.tasks if one.id == name], in_words(name))

    def _choose_task(self, chosen: str | None) -> None:
        from interviewer.interview.challenge import SETS, set_tasks, weakest_first
        from interviewer.tui.screens.browse import TASK, BrowseScreen

        chance = random.Random()
        task_set = next((one for one in SETS if one.id == chosen), None)
        try:
            tasks = self._kit.tasks
            if chosen == PICK:
                self._app.push_screen(BrowseScreen(self._kit, [TASK]), self._start_picked)
            elif task_set is not None:
                self._offer(set_tasks(task_set, tasks, self.practice, chance), task_set.title, task_set)
            elif chosen:
                ordered = weakest_first(tasks, self.practice, chance)
                task = ordered[0] if chosen == WEAKEST else chance.choice(ordered)
                self._offer([task], in_words(task.id))
        except Exception as error:
            self._complain(error)

    def _offer(self, tasks: Sequence[TaskBrief], title: str, task_set: TaskSet | None = None) -> None:
        """Say what is coming and how long it may take; the clock starts with the answer."""
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        if not tasks:
            self._app.notify(f"There is no task for: {title}.", markup=False)
            return
        planned = task_set.minutes if task_set else tasks[0].minutes
        minutes = [max(1.0, float(round(planned * pace))) for pace, _ in PACES]
        choices = [Choice(f"{one:g}", f"{one:g} minutes", said) for one, (_, said) in zip(minutes, PACES, strict=True)]
        names = [f"{number}. {in_words(one.id)}" for number, one in enumerate(tasks, 1)]
        about = "\n".join(names) if task_set else f"{tasks[0].title}. {self._best(tasks[0].id)}"
        text = f"{about}\nThe clock starts when you choose. F5 pauses it and hides the code."

        def start(chosen: str | None) -> None:
            if chosen:
                ids = [one.id for one in tasks]
                self._open(lambda: self._kit.new_challenge(ids, float(chosen)))

        self._app.push_screen(ChoiceScreen(title, text, choices), start)

    def _best(self, task: str) -> str:
        from interviewer.tui.screens.browse import task_past

        return f"You: {task_past(self.practice.tasks.get(task))}."

    def _start(self, **wished: Any) -> None:
        from interviewer.session.plan import Wishes

        wishes = Wishes(**wished)
        self._open(lambda: self._kit.new_interview(wishes))

    def _open(self, open_interview: Callable[[], Any]) -> None:
        self._app.post_message(InterviewChosen(open_interview))

    def _push(self, make: Callable[[], Screen[Any]], after: Callable[[Any], None]) -> None:
        try:
            screen = make()
        except Exception as error:
            self._complain(error)
        else:
            self._app.push_screen(screen, after)

    def _complain(self, error: BaseException) -> None:
        self._app.notify(advice(error), title="The list cannot be shown", severity="error", markup=False, timeout=12)


def _what_fits(minutes: float) -> str:
    if minutes < 30:
        return "one or two questions"
    return "questions and a coding task" if minutes < 50 else "more of both"


def _why_due(start: str) -> str:
    return f"FSRS spaces what you knew further apart and brings back what you missed.\n\nThe same on a shell: `{start}`"
