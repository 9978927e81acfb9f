"""What a candidate may revise: an answer just sent, and the record of who agrees with a finding; pure, like the engine.

An answer that nothing has judged yet may always be taken back. After that one may, for each question, while the reply
only asks on and nothing was said to it; the answer in its place then counts like one after help, because the reply
told what was missed. The state goes back to where it was, so no result knows the words that were taken back.
"""

from __future__ import annotations

from dataclasses import replace

from interviewer.session import phrases, policy
from interviewer.session.events import AnswerTakenBack, Appealed
from interviewer.session.move import MoveKind
from interviewer.session.state import Appeal, Awaiting, Sent, Session, TakenBack, Turn

# Help, a belief held against the candidate and a doubt rest on the answer: after them it stands.
_ASKS_ON = frozenset({MoveKind.DEEPER, MoveKind.PROBE, MoveKind.CLARIFY})


def mark_sent(session: Session) -> Sent | None:
    """Return where the session goes back to if the answer that is sent now is taken back."""
    return Sent(len(session.transcript), session.drill, session.answered) if session.answered else None


def take_back_refusal(session: Session) -> str:
    """Return why the last answer cannot be taken back now, "" when it can."""
    since = _since(session)
    if session.awaiting is Awaiting.ASSESSMENT and len(since) == 1:
        return ""
    if session.awaiting is not Awaiting.ANSWER or len(since) != 2:
        return phrases.NOTHING_TO_TAKE_BACK
    if since[1].move not in _ASKS_ON:
        return phrases.REPLY_RESTS_ON_IT
    is_used = any(earlier.reply is not None and earlier.answer.part == session.part for earlier in session.taken_back)
    return phrases.TAKEN_BACK_ONCE if is_used else ""


def take_back_price(session: Session) -> str:
    """Return what it costs to take back an answer whose reply was shown. No opening can fail, so none is weighed."""
    is_opening = session.sent is not None and session.sent.answered.rung == 0
    return phrases.TAKE_BACK_OPENING if is_opening else phrases.TAKE_BACK_PRICE


def revise(session: Session, event: AnswerTakenBack | Appealed) -> Session | None:
    """Return the session after the candidate's second thoughts, or None where they cannot be had."""
    return _appealed(session, event) if isinstance(event, Appealed) else _taken_back(session)


def _since(session: Session) -> tuple[Turn, ...]:
    """Return the last answer and what was said after it; nothing when no answer can be meant."""
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
    """Return the session with the appeal beside the point, once its question was left: only then is the finding final.

    A later appeal on the same point replaces the earlier one.
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
