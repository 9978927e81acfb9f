"""Which move follows an answer: decided here, in code, from point states; no model has a say in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interviewer.session import words
from interviewer.session.assessment import Assessment, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Question, Rung
from interviewer.session.state import Answer, Credit, Drill

PASS_SHARE = 2 / 3
HELPED_WEIGHT = 0.5
TRIES_MAX = 2
ANSWERS_MAX = 10
_TRIES = (MoveKind.DEEPER, MoveKind.PROBE, MoveKind.HINT, MoveKind.CLARIFY)


@dataclass(frozen=True)
class Decision:
    """Hold the drill after an answer and the move that follows; no move means that the question is over."""

    drill: Drill
    move: Move | None


def rung_share(question: Question, drill: Drill, rung: int) -> float:
    """Return the share of a rung's points credited so far, 0 to 1. `rung` counts from 1."""
    wanted = question.rungs[rung - 1].points
    heard = [drill.credit_of(point) for point in wanted]
    return sum(credit.state.credit for credit in heard if credit) / len(wanted)


def absorb(question: Question, drill: Drill, answered: Move, text: str, assessment: Assessment) -> Drill:
    """Return the drill with the answer's credits, beliefs and rung result added."""
    credits = {credit.point: credit for credit in drill.credits}
    for state in assessment.points if assessment.is_graded else ():
        known = credits.get(state.id)
        is_news = state.state in (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
        if is_news and (known is None or state.state is State.CONTRADICTED or state.state.credit >= known.state.credit):
            credits[state.id] = Credit(state.id, state.state, state.quote)
    known_beliefs = {belief.id for belief in drill.beliefs}
    beliefs = drill.beliefs + tuple(one for one in assessment.misconceptions if one.id not in known_beliefs)
    grown = replace(drill, credits=tuple(credits.values()), beliefs=beliefs)
    is_try = assessment.is_graded and answered.kind in _TRIES and "asks_back" not in assessment.flags
    has_passed = rung_share(question, grown, answered.rung) >= PASS_SHARE if is_try and answered.rung else None
    answer = Answer(answered.text, text, answered.rung, answered.weight, assessment, has_passed)
    return replace(grown, answers=(*grown.answers, answer))


def decide(question: Question, drill: Drill, answered: Move) -> Decision:
    """Return the move that follows the drill's last answer.

    Order: not judged → clarify once · does not know → hint · a misconception → its exposing question · held →
    deeper · first fail → a probe (or a hint) at the same rung, at half weight · second fail → the next rung · two
    rungs in a row that did not hold → leave. One judged fail never ends a topic: a judge errs, most of all offline.
    """
    assessment = drill.answers[-1].assessment
    if len(drill.answers) >= ANSWERS_MAX:
        return Decision(replace(drill, left_why="enough heard"), None)
    if not assessment.is_graded:
        return _clarify(question, drill, answered, words.could_not_judge(assessment.why_not))
    has_credit = any(point.state.credit for point in assessment.points)
    if "does_not_know" in assessment.flags and not has_credit:
        return _help(question, drill, answered)
    if "asks_back" in assessment.flags and not has_credit:
        return _clarify(question, drill, answered, words.YOUR_READING)
    for belief in drill.beliefs:
        if belief.id not in drill.exposed:
            ask = question.misconception(belief.id).ask
            move = Move(MoveKind.CHALLENGE, ask, words.you_said(belief.quote), drill.rung, belief.id, HELPED_WEIGHT)
            return Decision(replace(drill, exposed=(*drill.exposed, belief.id)), move)
    if drill.rung == 0 or rung_share(question, drill, drill.rung) >= PASS_SHARE:
        return _climb(question, drill)
    tries = [answer for answer in drill.answers if answer.rung == drill.rung and answer.has_passed is not None]
    if len(tries) < TRIES_MAX:
        return _probe(question, drill, drill.rung) or _help(question, drill, answered)
    return _fail(question, drill)


def give_hint(question: Question, drill: Drill) -> Decision | None:
    """Return the next hint of the rung that is asked, or None when the ladder of hints is used up."""
    at = max(1, drill.rung)
    given = drill.hints.count(at)
    hints = question.rungs[at - 1].hints
    if given >= len(hints):
        return None
    move = Move(MoveKind.HINT, hints[given], "", at, "", HELPED_WEIGHT)
    return Decision(replace(drill, rung=at, hints=(*drill.hints, at)), move)


def _help(question: Question, drill: Drill, answered: Move) -> Decision:
    return give_hint(question, drill) or _fail(question, replace(drill, rung=max(1, answered.rung)))


def _fail(question: Question, drill: Drill) -> Decision:
    """Return what follows a rung that did not hold: the next rung once, the end of the topic after two in a row."""
    failed = replace(drill, failed=(*drill.failed, drill.rung))
    if drill.failed and drill.failed[-1] == _asked_before(drill):
        return Decision(replace(failed, broke_at=drill.failed[-1]), None)
    onward = _climb(question, failed)
    return onward if onward.move else Decision(replace(onward.drill, broke_at=drill.rung), None)


def _asked_before(drill: Drill) -> int:
    """Return the rung that was asked before the present one, 0 when there was none."""
    earlier = [answer.rung for answer in drill.answers if answer.rung != drill.rung]
    return earlier[-1] if earlier else 0


def _clarify(question: Question, drill: Drill, answered: Move, lead: str) -> Decision:
    if drill.rung in drill.clarified:
        return _climb(question, drill)
    move = Move(MoveKind.CLARIFY, answered.words, lead, answered.rung, answered.target, answered.weight)
    # The answer to a clarification is an answer to the question before it, so it counts as one try of that kind.
    return Decision(replace(drill, clarified=(*drill.clarified, drill.rung)), move)


def _climb(question: Question, drill: Drill) -> Decision:
    """Return the move to the next rung whose points are still open; rungs answered unasked are not asked again."""
    # An opening that earned anything has said what the thing is: the ladder then starts at its second rung.
    first = 2 if drill.rung == 0 and any(credit.state.credit for credit in drill.credits) else drill.rung + 1
    for number in range(first, len(question.rungs) + 1):
        share = rung_share(question, drill, number)
        if share >= PASS_SHARE:
            continue
        on_rung = replace(drill, rung=number)
        if share > 0 and (probed := _probe(question, on_rung, number, weight=1.0)):
            return probed
        rung: Rung = question.rungs[number - 1]
        return Decision(on_rung, Move(MoveKind.DEEPER, rung.ask, _heard_in(drill), number))
    return Decision(replace(drill, rung=len(question.rungs)), None)


def _probe(question: Question, drill: Drill, rung: int, weight: float = HELPED_WEIGHT) -> Decision | None:
    """Return a probe for a point of the rung that is still open, or None when the bank has no unused one."""
    for point_id in question.rungs[rung - 1].points:
        credit = drill.credit_of(point_id)
        if credit and credit.state is State.SHOWN:
            continue
        for index, probe in enumerate(question.probes):
            if probe.missing == point_id and index not in drill.used_probes:
                move = Move(MoveKind.PROBE, probe.ask, _heard_in(drill), rung, point_id, weight)
                return Decision(replace(drill, used_probes=(*drill.used_probes, index)), move)
    return None


def _heard_in(drill: Drill) -> str:
    """Return a lead that quotes what the last answer earned, so that the candidate sees what was heard."""
    last = drill.answers[-1].assessment
    quotes = [point.quote for point in last.points if point.state is State.SHOWN and point.quote]
    return words.you_said(quotes[-1]) if quotes else ""
