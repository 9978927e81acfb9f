"""One line that always says whose turn it is, what the wait is for, and which key changes that."""

from __future__ import annotations

import math

from interviewer.session.state import Awaiting
from interviewer.tui.widgets.line import Line

_YOURS = {
    Awaiting.ANSWER: "Your turn.",
    Awaiting.SUBMISSION: "Your turn: write the code, ctrl+s submits it.",
    Awaiting.SELF_MARKS: "Your turn: space ticks a point, ctrl+s confirms.",
    Awaiting.NOTHING: "The interview is over. Enter opens the debrief.",
}
_WAITS = {
    "speaking": "The interviewer speaks · esc stops the words",
    "listening": "The interviewer thinks about your answer · esc takes it back",
    "grading": "The grader runs your code · esc cancels",
}
SLOW_SECONDS = 2.0
EARLY_SECONDS = 0.05  # a tick may come that much before its second is over


class StateLine(Line):
    """Draw whose turn it is."""

    def __init__(self) -> None:
        super().__init__("state")

    def show(
        self, awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool, hint_price: str = ""
    ) -> None:
        """Draw the line."""
        self.set_class(bool(busy), "-busy")
        self.say(state_text(awaiting, busy, busy_seconds, is_sending_next=is_sending_next, hint_price=hint_price))


def state_text(
    awaiting: Awaiting, busy: str, busy_seconds: float, *, is_sending_next: bool, hint_price: str = ""
) -> str:
    """Return the line; the seconds of a wait are named once it is long enough to wonder."""
    if not busy:
        yours = _YOURS.get(awaiting, "One moment …")
        return f"{yours} · hint: {hint_price}" if hint_price else yours
    text = _WAITS.get(busy, busy)
    if busy != "speaking" and busy_seconds >= SLOW_SECONDS:
        text += f" · {busy_seconds:.0f} s"
    return f"{text} · your answer is sent next" if is_sending_next else text


def countdown_text(busy: str, seconds_left: float) -> str:
    """Return what is said while the language model asks to wait, with the key that ends what it is needed for."""
    key = _WAITS.get(busy, "").partition(" · ")[2]
    return f"The model asks to wait, {max(1, math.ceil(seconds_left - EARLY_SECONDS))} s left" + (
        f" · {key}" if key else ""
    )
