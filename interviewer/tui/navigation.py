"""Open every screen except home, after asking for any required choices.

Sessions are the exception: the app class opens them when it receives `InterviewChosen`.

Screens and their dependencies are imported when they are first opened, because importing all of them would delay the
first frame by half a second.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from interviewer.tui.messages import InterviewChosen
from interviewer.tui.text_format import advice, in_words

if TYPE_CHECKING:
    from interviewer.interview.challenge import TaskSet
    from interviewer.interview.context import AppContext
    from interviewer.interview.runner import Interview
    from interviewer.log.progress import Progress
    from interviewer.session.question import TaskBrief
    from interviewer.session.state import Session
    from interviewer.tui.screens.doctor import Examine, Finding
    from interviewer.tui.screens.session import SessionScreen

LENGTHS_MINUTES = (20.0, 45.0, 60.0)
DRILL_MINUTES = 20.0
# How a challenge's task is chosen: manually, by weakness, or at random. A task set is identified by its own id.
PICK, WEAKEST, CHANCE = "pick", "weakest", "chance"
# The preferences that can be changed in the start dialog, with their labels.
WISHES = {"role": "Role", "level": "Level", "coding": "Coding"}
PACES = ((1.0, "as planned"), (1.5, "relaxed"), (0.5, "half the time"))


def session_screen(interview: Interview, context: AppContext) -> SessionScreen:
    """Return the screen for an interview or a challenge."""
    from interviewer.interview.challenge import Challenge
    from interviewer.tui.screens.challenge import ChallengeScreen
    from interviewer.tui.screens.interview import InterviewScreen

    return (
        ChallengeScreen(interview, context) if isinstance(interview, Challenge) else InterviewScreen(interview, context)
    )


def debrief_screen(session: Session, context: AppContext) -> Screen[str | None]:
    """Return the screen that shows the debrief; appeals are written to the log."""
    from interviewer.interview.sessions import appeal
    from interviewer.interview.teaching import Teacher
    from interviewer.tui.screens.debrief import DebriefScreen

    return DebriefScreen(session, partial(appeal, context.log), Teacher(context), context.masked_debrief)


def show_keys(app: App[Any]) -> None:
    """Show the keys of the current screen, unless they are already shown."""
    from interviewer.tui.screens.dialogs import HelpScreen, keys_of

    if not isinstance(app.screen, HelpScreen):
        app.push_screen(HelpScreen(keys_of(app.screen)))


class Navigation:
    """Open dialogs and screens over the current screen. `practice` and `findings` are set once they are known."""

    def __init__(self, app: App[Any], context: AppContext, examine: Examine) -> None:
        self._app = app
        self._app_context = context
        self._examine = examine
        self._practice: Progress | None = None
        self.findings: Sequence[Finding] = ()
        # The values that the user changed in the start dialog. The dialog's defaults come from the settings.
        self._wished: dict[str, str] = {}

    @property
    def practice(self) -> Progress:
        """Return the practice progress, or an empty record if the progress has not been loaded yet."""
        from interviewer.log.progress import NO_PROGRESS

        return self._practice or NO_PROGRESS

    @property
    def due_count(self) -> int:
        """Return the number of reviews due today; 0 if the number is not known yet."""
        return len(self._practice.due) if self._practice else 0

    @property
    def next_due(self) -> str:
        """Return the time of the next review after today; "" if none is known."""
        at = self._practice.next_due_at if self._practice else None
        return "" if at is None else time.strftime("%d %b %H:%M", time.localtime(at))

    def set_progress(self, practice: Progress) -> None:
        """Store the practice progress so far."""
        self._practice = practice

    def go(self, destination: str) -> None:
        """Open the destination with this id from the home menu. Raises KeyError if there is no such destination."""
        {
            "mock": self.mock,
            "challenge": self.challenge,
            "drill": self.drill,
            "due": self.due,
            "browse": self.browse,
            "log": self.log,
            "settings": self.settings,
            "doctor": self.doctor,
            "setup": self.setup,
        }[destination]()

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """Return the functions that open each destination, by their names in the command palette."""
        return {
            "Mock interview": self.mock,
            "Timed challenge": self.challenge,
            "Drill a topic": self.drill,
            "Due today": self.due,
            "Browse questions and tasks": self.browse,
            "Log": self.log,
            "Model setup": self.setup,
            **self.commands_in_session(),
        }

    def commands_in_session(self) -> Mapping[str, Callable[[], None]]:
        """Return the commands that do not close a running session."""
        return {"Settings": self.settings, "Doctor": self.doctor, "Errors": self.errors}

    def examine(self) -> None:
        """Run the setup checks. Blocks."""
        self.findings = self._examine()

    def resume(self, session: str) -> None:
        """Continue a session."""
        from interviewer.interview.sessions import resume_interview

        self._open(lambda: resume_interview(self._app_context, session))

    def mock(self) -> None:
        """Ask for the length, then start a mock interview; the role, level and coding share can be changed first."""
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        own = self._app_context.settings.minutes
        wishes = {key: self._wished.get(key, getattr(self._app_context.settings, key)) for key in WISHES}
        lengths = sorted({*LENGTHS_MINUTES, own})
        coding = wishes["coding"]
        choices = [Choice(f"{minutes:g}", f"{minutes:g} minutes", _what_fits(minutes, coding)) for minutes in lengths]
        choices += [Choice(key, label, f"{in_words(wishes[key])} · change") for key, label in WISHES.items()]
        text = "The clock cannot be paused while the interview is open. You can leave at any time and resume later."

        def start(chosen: str | None) -> None:
            if chosen in WISHES:
                self._wish(chosen, wishes[chosen])
            elif chosen:
                self._start(minutes=float(chosen), **wishes)

        self._app.push_screen(ChoiceScreen("Mock interview", text, choices, lengths.index(own)), start)

    def _wish(self, key: str, now: str) -> None:
        """Ask for the role, the level, or the share of coding, and return to the start dialog."""
        from interviewer.config import ABOUT, choices
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        def change(value: str | None) -> None:
            self._wished[key] = value or now
            self.mock()

        known = choices(key)
        options = [Choice(name, in_words(name)) for name in known]
        about = f"{ABOUT[key]} The default comes from your settings."
        self._app.push_screen(ChoiceScreen(WISHES[key], about, options, known.index(now)), change)

    def drill(self) -> None:
        """Ask for a topic, then start a short interview about it."""
        from interviewer.tui.screens.browse import topic_rows
        from interviewer.tui.screens.pick import PickScreen

        def start(topic: str | None) -> None:
            if topic:
                self._start(minutes=DRILL_MINUTES, focus=(topic,))

        def rows() -> Screen[str | None]:
            return PickScreen("Drill a topic", topic_rows(self._app_context.questions))

        self._push(rows, start)

    def browse(self) -> None:
        """Show all questions and tasks. A picked question starts a drill; a picked task is offered as a challenge."""
        from interviewer.tui.screens.browse import BrowseScreen

        self._push(lambda: BrowseScreen(self._app_context), self.start_picked)

    def challenge(self) -> None:
        """Ask for a task or a set of tasks, then offer to start it."""
        from interviewer.interview.challenge import TASK_SETS
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        choices = [
            Choice(PICK, "Pick a task", "choose from the list"),
            Choice(WEAKEST, "My weakest", "not passed, then not tried"),
            Choice(CHANCE, "Random", "any task"),
            *(Choice(task_set.id, task_set.title, "several tasks, one clock") for task_set in TASK_SETS),
        ]
        text = "Code against the clock. You can pause. Hints have a cost. Pass or give up to unlock the solution."
        self._app.push_screen(ChoiceScreen("Timed challenge", text, choices), self._choose_task)

    def due(self) -> None:
        """Show the reviews due today; picking a review starts it."""
        from interviewer.tui.screens.pick import Pickable, PickScreen

        if not self.practice.due:
            next_due = f" Next: {self.next_due}." if self.next_due else ""
            self._app.notify(f"Nothing is due today.{next_due}", markup=False)
            return
        title_of = self._app_context.task_names.title_of
        rows = []
        for item in self.practice.due:
            rungs = f" · rungs {', '.join(map(str, item.rungs))}" if item.rungs else ""
            detail = f"{item.kind}{rungs} · last time: {item.last.why}"
            rows.append(Pickable(f"{item.kind}/{item.id}", detail, _why_due(item.start_command), title_of(item.id)))
        self._push(lambda: PickScreen("Due today", rows), self.start_picked)

    def log(self) -> None:
        """Open the log."""
        from interviewer.tui.screens.log import LogScreen

        self._push(lambda: LogScreen(self._app_context), lambda _: None)

    def settings(self) -> None:
        """Open the settings."""
        from interviewer.tui.screens.settings import SettingsScreen

        self._push(lambda: SettingsScreen(self._app_context), lambda _: None)

    def doctor(self) -> None:
        """Show the results of the setup checks."""
        from interviewer.tui.screens.doctor import DoctorScreen

        def examine() -> Sequence[Finding]:
            self.examine()
            return self.findings

        self._push(lambda: DoctorScreen(examine, self.findings, self.errors, self.setup), lambda _: None)

    def setup(self) -> None:
        """Set up a language model."""
        from interviewer.tui.screens.setup import SetupScreen

        self._push(lambda: SetupScreen(self._app_context), lambda _: None)

    def errors(self) -> None:
        """List the app's internal errors; picking an error shows all its details."""
        from interviewer.tui.screens import errors

        def show(picked: str | None) -> None:
            if picked:
                self._app.push_screen(errors.error_screen(picked), lambda _: self.errors())

        self._push(errors.error_list_screen, show)

    def start_picked(self, picked: str | None) -> None:
        """Start a question or offer a task. `picked` is "question/ID" or "task/ID"; if it is None, do nothing."""
        from interviewer.session.plan import QUESTION_MINUTES

        kind, _, name = (picked or "").partition("/")
        if kind == "question":
            self._start(minutes=QUESTION_MINUTES, questions=(name,))
        elif kind == "task":
            names = self._app_context.task_names
            current = names.id_of(name)
            self._offer([task for task in self._app_context.tasks if task.id == current], names.title_of(name))

    def _choose_task(self, chosen: str | None) -> None:
        from interviewer.interview.challenge import TASK_SETS, pick_set_tasks, weakest_first
        from interviewer.tui.screens.browse import TASK, BrowseScreen

        chance = random.Random()
        task_set = next((task_set for task_set in TASK_SETS if task_set.id == chosen), None)
        try:
            tasks = self._app_context.tasks
            if chosen == PICK:
                self._app.push_screen(BrowseScreen(self._app_context, [TASK]), self.start_picked)
            elif task_set is not None:
                self._offer(pick_set_tasks(task_set, tasks, self.practice, chance), task_set.title, task_set)
            elif chosen:
                ordered = weakest_first(tasks, self.practice, chance)
                task = ordered[0] if chosen == WEAKEST else chance.choice(ordered)
                self._offer([task], task.title)
        except Exception as error:
            self._complain(error)

    def _offer(self, tasks: Sequence[TaskBrief], title: str, task_set: TaskSet | None = None) -> None:
        """Show the tasks and ask for the time limit; the clock starts when the user picks one."""
        from interviewer.tui.screens.dialogs import Choice, ChoiceScreen

        if not tasks:
            self._app.notify(f"No coding task found for: {title}.", markup=False)
            return
        planned = task_set.minutes if task_set else tasks[0].minutes
        minutes = [max(1.0, float(round(planned * pace))) for pace, _ in PACES]
        choices = [
            Choice(f"{length:g}", f"{length:g} minutes", pace) for length, (_, pace) in zip(minutes, PACES, strict=True)
        ]
        names = [f"{number}. {task.title}" for number, task in enumerate(tasks, 1)]
        about = "\n".join(names) if task_set else self._best(tasks[0].id)
        text = f"{about}\nThe clock starts when you choose a time. F5 pauses the clock and hides the code."

        def start(chosen: str | None) -> None:
            if chosen:
                ids = [task.id for task in tasks]
                from interviewer.interview.sessions import new_challenge

                self._open(lambda: new_challenge(self._app_context, ids, float(chosen)))

        self._app.push_screen(ChoiceScreen(title, text, choices), start)

    def _best(self, task: str) -> str:
        from interviewer.tui.screens.browse import task_past

        return f"You: {task_past(self.practice.tasks.get(task))}."

    def _start(self, **wished: Any) -> None:
        from interviewer.session.plan import PlanRequest

        request = PlanRequest(**wished)
        from interviewer.interview.sessions import new_interview

        self._open(lambda: new_interview(self._app_context, request))

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
        self._app.notify(advice(error), title="Could not load the list", severity="error", markup=False, timeout=12)


def _what_fits(minutes: float, coding: str) -> str:
    from interviewer.session.plan import CODING_MINUTES_MIN

    if coding == "none":
        return "questions only"
    if minutes < CODING_MINUTES_MIN:
        return "no coding task unless you change Coding" if coding == "auto" else "a question and a coding task"
    return "questions and a coding task" if minutes < 50 else "more of both"


def _why_due(start: str) -> str:
    return (
        "FSRS schedules your reviews: what you missed comes back sooner, and what you knew comes back later."
        f"\n\nCommand: `{start}`"
    )
