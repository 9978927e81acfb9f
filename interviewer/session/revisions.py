"""Handles retracted answers and appeals; the functions are pure, like those in engine.py.

An answer that has not been judged yet can always be retracted. Once the interviewer has replied, one answer per
question can be retracted, provided that the reply only asked a follow-up question that is still unanswered. The new
answer is then treated as an answer given after help, because the reply revealed what was missing. The previous state is
restored, so no result depends on the retracted answer.
"""

from __future__ import annotations

from dataclasses import replace

from interviewer.session import phrases, policy
from interviewer.session.events import AnswerTakenBack, Appealed
from interviewer.session.move import MoveKind
from interviewer.session.state import AnswerSnapshot, Appeal, Awaiting, Session, TakenBack, Turn

# All other replies (help, or a question about a misconception or a right answer) build on the answer, so it can no
# longer be retracted.
_FOLLOW_UPS = frozenset({MoveKind.DEEPER, MoveKind.PROBE, MoveKind.CLARIFY, MoveKind.EXPLAIN, MoveKind.CHECK})


def snapshot_answer(session: Session) -> AnswerSnapshot | None:
    """Return the state to restore if the answer being sent is retracted."""
    return AnswerSnapshot(len(session.transcript), session.drill, session.answered) if session.answered else None


def take_back_refusal(session: Session) -> str:
    """Return why the last answer cannot be retracted now; "" if it can."""
    since = _since(session)
    if session.awaiting is Awaiting.ASSESSMENT and len(since) == 1:
        return ""
    if session.awaiting is not Awaiting.ANSWER or len(since) != 2:
        return phrases.NOTHING_TO_TAKE_BACK
    if since[1].move not in _FOLLOW_UPS:
        return phrases.REPLY_RESTS_ON_IT
    is_used = any(earlier.reply is not None and earlier.answer.part == session.part for earlier in session.taken_back)
    return phrases.TAKEN_BACK_ONCE if is_used else ""


def take_back_cost(session: Session) -> str:
    """Return what it costs to retract an answer after the interviewer has replied to it.

    Retracting an answer to the opening question costs no credit, because a candidate cannot fail that question.
    """
    is_opening = session.sent is not None and session.sent.answered.rung == 0
    return phrases.TAKE_BACK_OPENING if is_opening else phrases.TAKE_BACK_PRICE


def revise(session: Session, event: AnswerTakenBack | Appealed) -> Session | None:
    """Return the session after a retraction or an appeal, or None if the retraction or appeal is not allowed."""
    return _appealed(session, event) if isinstance(event, Appealed) else _taken_back(session)


def _since(session: Session) -> tuple[Turn, ...]:
    """Return the last answer and the turns after it; empty if there is no answer to retract."""
    return session.transcript[session.sent.turns :] if session.sent else ()


def _taken_back(session: Session) -> Session | None:
    at = session.sent
    if at is None or take_back_refusal(session):
        return None
    answer, *replies = _since(session)
    asked = replace(at.answered, weight=min(at.answered.weight, policy.HELPED_WEIGHT)) if replies else at.answered
    return replace(
        session.with_drill(at.drill),
        transcript=session.transcript[: at.turns],
        awaiting=Awaiting.ANSWER,
        answered=asked,
        move=None,
        sent=None,
        taken_back=(*session.taken_back, TakenBack(answer, *replies)),
    )


def _appealed(session: Session, event: Appealed) -> Session | None:
    """Return the session with the appeal; None while the question is open, because the finding can still change.

    A later appeal for the same point replaces the earlier appeal.
    """
    for place, drill in enumerate(session.drills):
        points = {point.id for point in session.question(drill.question).points}
        if drill.question == event.question and drill.is_over and drill.answers and event.point in points:
            others = tuple(appeal for appeal in drill.appeals if appeal.point != event.point)
            made = (Appeal(event.point, event.why),) if event.why else ()
            drills = [*session.drills]
            drills[place] = replace(drill, appeals=(*others, *made))
            return replace(session, drills=tuple(drills))
    return None
