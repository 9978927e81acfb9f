"""What the next hint costs, said before it is taken; asked of the policy that will charge it, so that both agree."""

from __future__ import annotations

from interviewer.session import policy, seat, words
from interviewer.session.state import Awaiting, Session


def hint_price(session: Session) -> str:
    """Return what the next hint costs in a few words, "" where none can be asked for."""
    if session.awaiting is Awaiting.SUBMISSION:
        has_more = session.work.hints < len(session.task(session.work.task).hints)
        return words.TASK_HINT_PRICE if has_more else words.NO_HINT_LEFT
    if session.awaiting is not Awaiting.ANSWER or seat.is_observers_turn(session):
        return ""
    decision = policy.give_hint(session.question(session.drill.question), session.drill)
    return words.hint_price(decision.move.weight) if decision and decision.move else words.NO_HINT_LEFT
