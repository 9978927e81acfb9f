"""The state of a session at a glance: the time left, whose turn it is, the open view, and the plan.

Color is never the only cue.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from graders.install import installation
from interviewer.session.plan import Part
from interviewer.session.state import Awaiting, Session
from interviewer.tui.text_format import printable

INTERVIEW_WARNINGS = (10, 2)
CHALLENGE_WARNINGS = (10, 5, 1)
UNTIMED = "time is up · untimed"
_YOURS = {
    Awaiting.ANSWER: "Your turn.",
    Awaiting.SUBMISSION: "Write code, then submit with ctrl+s.",
    Awaiting.SELF_MARKS: "Your turn: tick points with space, submit with ctrl+s.",
    Awaiting.OFFER: "Plan complete. Choose whether to answer one more question.",
    Awaiting.NOTHING: "The interview is over. Press enter for the debrief.",
}
_WAITS = {
    "speaking": "The interviewer is speaking · esc: interrupt",
    "wording": "The interviewer is thinking · esc: interrupt",
    "listening": "The interviewer is considering your answer · esc: retract it",
    "judging": "The interviewer is considering your answer · esc: retract it",
    # In a coding task, an explanation cannot be retracted.
    "explaining": "The interviewer is considering your answer · esc: judge it offline",
    "grading": "The grader is running your code · esc: cancel",
    "installing": "The grader is running your code · esc: cancel",  # shown once PyTorch is installed
}
SLOW_SECONDS = 2.0
# After waiting this long for the model, the app shows which key cancels the wait.
LONG_SECONDS = 10.0
_LONG_JUDGING = "The model is judging · esc: retract · f11: judge offline"
EARLY_SECONDS = 0.05  # a timer tick may come up to this many seconds early
INTERVIEW_VIEWS = {"statement": "F2 Statement", "code": "F3 Code", "talk": "F4 Talk"}
CHALLENGE_VIEWS = {"statement": "F2 Statement", "code": "F3 Code", "attempts": "F6 Results"}


class TextLine(Static):
    """A line of plain text. The screen is laid out again only if the line's width changes."""

    def __init__(self, id: str) -> None:
        super().__init__("", id=id, markup=False)

    def set_text(self, text: str) -> None:
        """Show this text if it differs from the text on screen."""
        before = str(self.content)
        if text != before:
            self.update(text, layout=cell_len(text) != cell_len(before))


class Clock(TextLine):
    """The time left in the session."""

    def __init__(self, warn_minutes: Sequence[int] = INTERVIEW_WARNINGS) -> None:
        super().__init__("clock")
        self._warn_minutes = warn_minutes

    def show(self, seconds_left: float, minutes_planned: float, note: str = "") -> None:
        """Show `note` or, if it is empty, the time left.

        A time warning, such as "less than 10 minutes", is omitted if the whole planned session is no longer than that.
        The last warning is never omitted.
        """
        passed = warnings_passed(seconds_left, minutes_planned, self._warn_minutes)
        self.set_text(note or clock_text(seconds_left, minutes_planned, self._warn_minutes))
        self.set_class(bool(passed), "-soon")
        self.set_class(seconds_left < 60 * min(self._warn_minutes), "-now")


def warnings_passed(
    seconds_left: float, minutes_planned: float, warn_minutes: Sequence[int] = CHALLENGE_WARNINGS
) -> list[int]:
    """Return the time warnings (in minutes) that are due."""
    last = min(warn_minutes)
    return [
        minutes
        for minutes in warn_minutes
        if seconds_left < 60 * minutes and (minutes < minutes_planned or minutes == last)
    ]


def clock_text(seconds_left: float, minutes_planned: float, warn_minutes: Sequence[int] = INTERVIEW_WARNINGS) -> str:
    """Return the time left in minutes and seconds, with a warning if little time is left."""
    whole = int(abs(seconds_left))
    digits = f"{whole // 60}:{whole % 60:02d}"
    if seconds_left < 0:
        return f"{digits} over"
    passed = warnings_passed(seconds_left, minutes_planned, warn_minutes)
    if not passed:
        return f"{digits} left"
    return f"{digits} left · less than {min(passed)} minute{'s' * (min(passed) > 1)}"


class StateLine(TextLine):
    """A line that shows whose turn it is."""

    def __init__(self) -> None:
        super().__init__("state")

    def show(
        self, awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool, hint_price: str = ""
    ) -> None:
        """Update the line."""
        self.set_class(bool(busy), "-busy")
        self.set_text(state_text(awaiting, busy, busy_seconds, is_sending_next=is_sending_next, hint_price=hint_price))


def state_text(
    awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool, hint_price: str = ""
) -> str:
    """Return the text of the line and, for a long wait, the number of seconds waited."""
    if not busy:
        yours = _YOURS.get(awaiting, "One moment …")
        return f"{yours} · hint: {hint_price}" if hint_price else yours
    text = _WAITS.get(busy, busy)
    if busy == "installing" and (running := installation()):
        text = f"{running.text} · esc: cancel"
    if busy == "judging" and busy_seconds >= LONG_SECONDS:
        text = _LONG_JUDGING
    if busy != "speaking" and busy_seconds >= SLOW_SECONDS:
        text += f" · {busy_seconds:.0f} s"
    return f"{text} · your answer will be sent next" if is_sending_next else text


def countdown_text(busy: str, seconds_left: float) -> str:
    """Return the text for the countdown to the next retry, with the key that cancels the wait."""
    key = _WAITS.get(busy, "").partition(" · ")[2]
    return f"Retrying in {max(1, math.ceil(seconds_left - EARLY_SECONDS))} s" + (f" · {key}" if key else "")


class ViewLabel(Static):
    """A label with the name of a view."""

    def __init__(self, view: str, name: str) -> None:
        super().__init__(name, id=f"view-{view}", markup=False)
        self._view = view

    def on_click(self, event: events.Click) -> None:
        """Post a message that identifies the clicked view."""
        event.stop()
        self.post_message(ViewStrip.Chosen(self._view))


class ViewStrip(Horizontal):
    """A strip with the names of all views, in which the open views are marked."""

    @dataclass
    class Chosen(Message):
        """A view was clicked."""

        view: str

    def __init__(self, views: Mapping[str, str] = INTERVIEW_VIEWS) -> None:
        super().__init__(id="views")
        self._views = views

    def compose(self) -> ComposeResult:
        """Yield a label for each view."""
        for view, name in self._views.items():
            yield ViewLabel(view, name)

    def show(self, open_views: Set[str]) -> None:
        """Mark the names of the views in `open_views`."""
        for view in self._views:
            self.query_one(f"#view-{view}").set_class(view in open_views, "-open")


class PlanView(Static):
    """The plan of a session and its examiner."""

    def __init__(self) -> None:
        super().__init__("", id="plan", markup=False)

    def show(self, session: Session, spend: str) -> None:
        """Show the progress of the session and the model's usage; `spend` is empty if there is no model."""
        lines = [Content.styled("Plan", "bold")]
        for number, part in enumerate(session.plan.parts):
            lines += [Content(""), *_part_lines(part, session.title_of(part), _when(session, number))]
        lines += [Content(""), _plan_line("now" if session.part >= len(session.plan.parts) else "next", "debrief")]
        lines += [Content(""), Content.styled("Examiner", "bold")]
        lines += [Content.styled(printable(line), "$secondary") for line in (session.examiner, spend) if line]
        self.update(Content("\n").join(lines))


def part_text(session: Session) -> str:
    """Return the number and title of the current part."""
    part = session.current_part
    if part is None:
        return "Plan complete" if session.awaiting is Awaiting.OFFER else "Finished"
    return f"Part {session.part + 1} of {len(session.plan.parts)} · {printable(session.title_of(part))}"


def _when(session: Session, number: int) -> str:
    """Return "now", "next", "done" for an earlier part, or "skipped" for one with no answer and no submission."""
    if number >= session.part:
        return "now" if number == session.part else "next"
    answered = [drill.question for drill in session.drills if drill.answers]
    submitted = [work.task for work in session.works if work.attempts]
    return "done" if session.plan.parts[number].id in answered + submitted else "skipped"


def _part_lines(part: Part, title: str, when: str) -> list[Content]:
    what = "code" if part.kind == "task" else "question"
    about = f"  {when} · {what}" + f" · {part.minutes:.0f} min" * (when != "skipped")
    return [_plan_line(when, printable(title)), Content.styled(about, "$secondary")]


def _plan_line(when: str, text: str) -> Content:
    sign = {"done": "✓", "skipped": "–", "now": "▸", "next": "·"}[when]
    style = {"done": "$secondary", "skipped": "$secondary", "now": "bold $primary", "next": ""}[when]
    return Content.styled(f"{sign} {text}", style)
