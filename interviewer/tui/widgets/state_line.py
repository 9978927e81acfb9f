"""One line that always says whose turn it is, what the wait is for, and which key changes that."""

from __future__ import annotations

from textual.widgets import Static

from interviewer.session.state import Awaiting

_YOURS = {
    Awaiting.ANSWER: "Your turn.",
    Awaiting.SUBMISSION: "Your turn: write the code, ctrl+s submits it.",
    Awaiting.SELF_MARKS: "Your turn: space ticks a point, ctrl+s confirms.",
    Awaiting.NOTHING: "The interview is over. Enter opens the debrief.",
}
_WAITS = {
    "speaking": "The interviewer speaks · esc stops the words",
    "listening": "The interviewer thinks about your answer",
    "grading": "The grader runs your code · esc cancels",
}
SLOW_SECONDS = 2.0


class StateLine(Static):
    """Draw whose turn it is."""

    def __init__(self) -> None:
        super().__init__("", id="state", markup=False)

    def show(self, awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool) -> None:
        """Draw the line."""
        self.set_class(bool(busy), "-busy")
        self.update(state_text(awaiting, busy, busy_seconds, is_sending_next=is_sending_next))


def state_text(awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool) -> str:
    """Return the line; the seconds of a wait are named once it is long enough to wonder."""
    if not busy:
        return _YOURS.get(awaiting, "One moment …")
    text = _WAITS.get(busy, busy)
    if busy != "speaking" and busy_seconds >= SLOW_SECONDS:
        text += f" · {busy_seconds:.0f} s"
    return f"{text} · your answer is sent next" if is_sending_next else text
