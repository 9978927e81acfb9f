"""What an answer adds to a drill: credits keep the best that was heard, and a rung's result rests on its own points."""

from __future__ import annotations

from dataclasses import replace

from interviewer.session.assessment import Assessment, State
from interviewer.session.drill import Answer, Credit, Doubt, Drill
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point, Question
from interviewer.session.state import OFFLINE, Session

PASS_SHARE = 2 / 3
LONG_WORDS = 25
_TRIES = (MoveKind.DEEPER, MoveKind.PROBE, MoveKind.HINT, MoveKind.CLARIFY)
_EMPTY_TALK = frozenset({"echo", "keywords", "instruction", "off_topic"})


def rung_share(question: Question, drill: Drill, rung: int) -> float:
    """Return the share of a rung's points credited so far, 0 to 1. `rung` counts from 1."""
    wanted = question.rungs[rung - 1].points
    heard = [drill.credit_of(point) for point in wanted]
    return sum(credit.state.credit for credit in heard if credit) / len(wanted)


def open_points(session: Session) -> tuple[Point, ...]:
    """Return the points that the running question still wants to hear; a task has none."""
    part = session.current_part
    if part is None or part.kind != "question":
        return ()
    shown = {credit.point for credit in session.drill.credits if credit.state is State.SHOWN}
    return tuple(point for point in session.question(part.id).points if point.id not in shown)


def holds(question: Question, drill: Drill, rung: int) -> bool:
    """Return whether enough of a rung's points was heard, asked for or not."""
    return rung_share(question, drill, rung) >= PASS_SHARE


def has_credit(assessment: Assessment) -> bool:
    """Return whether the answer earned anything."""
    return any(point.state.credit for point in assessment.points)


def absorb(question: Question, drill: Drill, answered: Move, text: str, assessment: Assessment) -> Drill:
    """Return the drill with the answer's credits, beliefs and rung result added."""
    credits = {credit.point: credit for credit in drill.credits}
    # Whoever gives in to a doubt has said the right thing before: that is told apart from knowledge.
    may_lower = answered.kind is not MoveKind.DOUBT
    for state in assessment.points if assessment.is_graded else ():
        known = credits.get(state.id)
        is_news = state.state in (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
        is_taken_back = state.state is State.CONTRADICTED and may_lower
        if is_news and (known is None or is_taken_back or state.state.credit >= known.state.credit):
            credits[state.id] = Credit(state.id, state.state, state.quote)
    known_beliefs = {belief.id for belief in drill.beliefs}
    beliefs = drill.beliefs + tuple(one for one in assessment.misconceptions if one.id not in known_beliefs)
    grown = replace(drill, credits=tuple(credits.values()), beliefs=beliefs)
    if answered.kind is MoveKind.DOUBT:
        grown = replace(grown, doubts=(*drill.doubts[:-1], _settled(drill.doubts[-1], assessment)))
    is_try = assessment.is_graded and answered.kind in _TRIES and not _says_nothing_yet(text, assessment)
    has_passed = holds(question, grown, answered.rung) if is_try and answered.rung else None
    answer = Answer(answered.text, text, answered.rung, answered.weight, assessment, has_passed)
    return replace(grown, answers=(*grown.answers, answer))


def may_be_unheard(text: str, assessment: Assessment) -> bool:
    """Return whether a long answer earned nothing only because phrasings cannot hear every wording."""
    return (
        assessment.judge == OFFLINE
        and assessment.is_graded
        and len(text.split()) >= LONG_WORDS
        and not has_credit(assessment)
        and not assessment.misconceptions
        and not _EMPTY_TALK.intersection(assessment.flags)
    )


def _says_nothing_yet(text: str, assessment: Assessment) -> bool:
    """Return whether an answer is no try: it asks back, votes on it disagree, or it may just be unheard."""
    undecided = any(point.state is State.UNDECIDED for point in assessment.points)
    open_yet = "asks_back" in assessment.flags or (undecided and not has_credit(assessment))
    return open_yet or may_be_unheard(text, assessment)


def _settled(doubt: Doubt, assessment: Assessment) -> Doubt:
    """Return the doubt with whether the candidate stood by a right answer; None where nothing judged it."""
    if not assessment.is_graded:
        return doubt
    is_taken_back = any(point.state is State.CONTRADICTED for point in assessment.points)
    gives_in = {"does_not_know", "gives_in"}.intersection(assessment.flags)
    return replace(doubt, stood=not (is_taken_back or gives_in))
