"""What an observer's screen says in one line, and how much of an answer it shows while it is typed."""

from __future__ import annotations

from interviewer.session.state import Awaiting
from interviewer.tui.printable import printable

TYPED_CHARACTERS_MAX = 480
_NOW = {
    Awaiting.WORDS: "The interviewer speaks",
    Awaiting.ANSWER: "The candidate answers",
    Awaiting.ASSESSMENT: "The examiner judges the answer",
    Awaiting.SUBMISSION: "The candidate writes code",
    Awaiting.VERDICT: "The grader runs the code",
    Awaiting.SELF_MARKS: "The candidate sets their own marks",
    Awaiting.NOTHING: "The session is over · ctrl+s shows the debrief, esc leaves",
}


def state_text(awaiting: Awaiting | None, waiting: int, lost: str) -> str:
    """Return what happens now, and how many of the observers' questions wait; or why nothing can be seen."""
    if lost:
        return f"Cut off: {printable(lost)} · tried again each second, F9 takes a new token"
    text = _NOW[awaiting] if awaiting else "One moment …"
    if not waiting or awaiting is Awaiting.NOTHING:
        return text
    plural = "s wait" if waiting > 1 else " waits"
    return f"{text} · {waiting} question{plural} for the interviewer's next turn"


def last_lines(typed: str) -> str:
    """Return the end of what is being typed, where the typing is."""
    text = printable(typed)
    return text if len(text) <= TYPED_CHARACTERS_MAX else f"… {text[-TYPED_CHARACTERS_MAX:]}"
