"""Pure functions that decide when an observer may ask a question and which points an observer may mark.

An observer's question is asked in the interviewer's next turn; the interviewer's planned move is postponed until after
the answer. The answer is not judged, because no rubric point covers it, so a score means the same with or without an
observer. The observer's marks are stored separately from the examiner's findings and the candidate's own marks.
"""

from __future__ import annotations

from dataclasses import replace

from interviewer.session import phrases
from interviewer.session.events import ObserverAsked, ObserverMarked
from interviewer.session.move import Move, MoveKind
from interviewer.session.state import Awaiting, ObserverMark, Session

# An observer's question can delay a move that asks the candidate a question. Help, a verdict and the end of the session
# are never delayed.
_DISPLACED = frozenset(
    {
        MoveKind.NEXT,
        MoveKind.DEEPER,
        MoveKind.PROBE,
        MoveKind.CHALLENGE,
        MoveKind.DOUBT,
        MoveKind.CHECK,
        MoveKind.CLARIFY,
        MoveKind.EXPLAIN,
        MoveKind.IMPROVISE,
    }
)


def may_ask(session: Session) -> bool:
    """Return whether an observer's question can be asked now: before the next question, or during a coding task."""
    if session.awaiting is Awaiting.WORDS and session.move is not None:
        part = session.current_part
        return part is not None and part.kind == "question" and session.move.kind in _DISPLACED
    return session.awaiting is Awaiting.SUBMISSION


def is_observers_turn(session: Session) -> bool:
    """Return whether the candidate is about to answer an observer's question."""
    answered = session.answered
    return session.awaiting is Awaiting.ANSWER and answered is not None and answered.kind is MoveKind.OBSERVER


def repeat_question(session: Session, *, is_asking: bool) -> Move | None:
    """Return the observer's question again if the candidate asks about it; None after the first time."""
    asked = session.answered
    if not is_asking or asked is None or asked.lead == phrases.YOUR_READING:
        return None
    return replace(asked, lead=phrases.YOUR_READING)


def without_repeat(session: Session) -> Session:
    """Return the session state as in earlier versions of the app, which did not repeat an observer's question."""
    move = session.move
    is_repeated = move is not None and move.kind is MoveKind.OBSERVER and move.lead == phrases.YOUR_READING
    return replace(session, move=session.observed.held) if is_repeated else session


def has_point(session: Session, mark: ObserverMark) -> bool:
    """Return whether a mark refers to a rubric point in one of this session's questions."""
    return any(
        question.id == mark.question and any(point.id == mark.point for point in question.points)
        for question in session.questions
    )


def apply_question(session: Session, event: ObserverAsked) -> Session | None:
    """Return the session with the observer's question as the next move; None if not allowed or already asked."""
    session = without_repeat(session)
    if not may_ask(session) or event.note <= session.observed.asked:
        return None
    observed = replace(session.observed, asked=event.note, held=session.move)
    move = Move(MoveKind.OBSERVER, event.text, weight=0.0)
    return replace(session, observed=observed, awaiting=Awaiting.WORDS, move=move)


def apply_marks(session: Session, event: ObserverMarked) -> Session | None:
    """Return the session with the observer's marks; None if a point is unknown or the marks were already applied."""
    if event.note <= session.observed.marked or not all(has_point(session, mark) for mark in event.marks):
        return None
    marks = session.observed.with_marks(event.marks)
    return replace(session, observed=replace(session.observed, marked=event.note, marks=marks))
