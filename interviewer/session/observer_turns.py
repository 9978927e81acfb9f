"""When an observer's question may take the interviewer's turn, and what its marks may name; pure, like the engine.

An observer's question takes the interviewer's next turn; the move it displaced is held and said after the answer.
Nothing judges that answer: no point says what a right answer to it is. So a score means the same with an observer or
without; what the observer heard is in the marks, a third column beside the machine's and the candidate's own.
"""

from __future__ import annotations

from dataclasses import replace

from interviewer.session.events import ObserverAsked, ObserverMarked
from interviewer.session.move import Move, MoveKind
from interviewer.session.state import Awaiting, ObserverMark, Session

# The moves that ask a follow-up or open a question; help, verdicts and the end are not put off.
_DISPLACED = frozenset(
    {
        MoveKind.NEXT,
        MoveKind.DEEPER,
        MoveKind.PROBE,
        MoveKind.CHALLENGE,
        MoveKind.DOUBT,
        MoveKind.CLARIFY,
        MoveKind.IMPROVISE,
    }
)


def may_ask(session: Session) -> bool:
    """Return whether an observer's question can be said now: before a question of ours, or while code is written."""
    if session.awaiting is Awaiting.WORDS and session.move is not None:
        part = session.current_part
        return part is not None and part.kind == "question" and session.move.kind in _DISPLACED
    return session.awaiting is Awaiting.SUBMISSION


def is_observers_turn(session: Session) -> bool:
    """Return whether what the candidate says next answers an observer's question."""
    answered = session.answered
    return session.awaiting is Awaiting.ANSWER and answered is not None and answered.kind is MoveKind.OBSERVER


def has_point(session: Session, mark: ObserverMark) -> bool:
    """Return whether a mark names a point of a question of this session."""
    return any(
        question.id == mark.question and any(point.id == mark.point for point in question.points)
        for question in session.questions
    )


def apply_question(session: Session, event: ObserverAsked) -> Session | None:
    """Return the session about to say the observer's question, or None when that cannot be now, or was done."""
    if not may_ask(session) or event.note <= session.observed.asked:
        return None
    observed = replace(session.observed, asked=event.note, held=session.move)
    move = Move(MoveKind.OBSERVER, event.text, weight=0.0)
    return replace(session, observed=observed, awaiting=Awaiting.WORDS, move=move)


def apply_marks(session: Session, event: ObserverMarked) -> Session | None:
    """Return the session with the observer's marks, or None when one of them names no point or they were taken."""
    if event.note <= session.observed.marked or not all(has_point(session, mark) for mark in event.marks):
        return None
    marks = session.observed.with_marks(event.marks)
    return replace(session, observed=replace(session.observed, marked=event.note, marks=marks))
