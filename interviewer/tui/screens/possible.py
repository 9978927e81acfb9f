"""Which of the interview's actions are possible in a state; the engine would refuse the others anyway."""

from __future__ import annotations

from interviewer.session.second_thoughts import why_it_stands
from interviewer.session.state import Awaiting, Session

CANDIDATES_TURN = frozenset({Awaiting.ANSWER, Awaiting.SUBMISSION})


def is_in_task(session: Session) -> bool:
    """Return whether the part that runs is a coding task."""
    part = session.current_part
    return part is not None and part.kind == "task"


def possibility(action: str, session: Session) -> bool | None:
    """Return True when the action is possible, None when it will be in a moment, False when it has no place here."""
    is_marking = session.awaiting is Awaiting.SELF_MARKS
    if action == "confirm":
        return is_marking
    if action == "open_debrief":
        return session.is_over
    if action == "take_back":
        return not why_it_stands(session)
    if action == "end":
        return not session.is_over
    if action in {"submit", "view"} and not is_in_task(session):
        return False
    if action in {"hint", "skip", "submit"}:
        if session.is_over or is_marking or session.current_part is None:
            return False
        return session.awaiting in CANDIDATES_TURN or None
    return True
