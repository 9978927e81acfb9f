"""Which move follows an answer: decided here, in code, from point states; no model has a say in it.

Rungs are tried one step up or down from where the candidate stands, until the posterior over depth is narrow enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interviewer.session import observer_turns, phrases
from interviewer.session.assessment import DEFAULT_ERROR_RATE, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Question
from interviewer.session.scoring import estimate_depth, has_credit, is_rung_passed, may_be_unmatched, rung_share
from interviewer.session.state import Awaiting, Decision, Doubt, Drill, Session

# What an answer counts after so many hints at its rung; after the last one the rung is left, and counts nothing.
HINT_CREDIT = (1.0, 1.0, 0.75, 0.5)
HELPED_WEIGHT = 0.5
TRIES_MAX = 2
ANSWERS_MAX = 10
JUDGED_MAX = 6
DEVIATION_ENOUGH = 0.55


@dataclass(frozen=True)
class DecisionContext:
    """Hold what a decision depends on besides the drill: the judge's error rate, whether chance allows a doubt, and
    whether a model is there that can ask beyond the ladder."""

    error_rate: float = DEFAULT_ERROR_RATE
    may_doubt: bool = False
    may_improvise: bool = False


_DEFAULT_CONTEXT = DecisionContext()


def decide(question: Question, drill: Drill, answered: Move, context: DecisionContext = _DEFAULT_CONTEXT) -> Decision:
    """Return the move that follows the drill's last answer.

    Order: not judged, or votes disagree → clarify once · does not know → hint · a misconception → its exposing
    question · long and unheard → one concrete case · held, but recited → with numbers · held → now and then a doubt,
    else one rung up · first fail → a probe (or a hint) at the same rung, at half weight · second fail → one rung down,
    or past it. One judged fail never ends a topic: a judge errs, most of all offline.
    """
    assessment = drill.answers[-1].assessment
    if len(drill.answers) >= ANSWERS_MAX:
        return Decision(replace(_with_break(drill), left_why="enough heard"), None)
    # To a doubt, and to the question to leave on, any answer will do.
    may_help = answered.kind is not MoveKind.DOUBT and not drill.is_closing
    if not assessment.is_graded and may_help:
        return _clarify(question, drill, answered, phrases.could_not_judge(assessment.why_not), context)
    if not has_credit(assessment) and may_help:
        if "does_not_know" in assessment.flags:
            return _help(question, drill, context)
        if "asks_back" in assessment.flags:
            return _clarify(question, drill, answered, phrases.YOUR_READING, context)
    for belief in drill.beliefs:
        if belief.id not in drill.exposed:
            ask = question.misconception(belief.id).ask
            move = Move(MoveKind.CHALLENGE, ask, phrases.you_said(belief.quote), drill.rung, belief.id, HELPED_WEIGHT)
            return Decision(replace(drill, exposed=(*drill.exposed, belief.id)), move)
    if drill.is_closing:
        return Decision(_with_break(drill), None)
    if drill.rung == 0:
        return _open_ladder(question, drill, context)
    if is_rung_passed(question, drill, drill.rung):
        return _held(question, drill, context)
    return _not_held(question, drill, answered, context)


def next_hint(question: Question, drill: Drill) -> Decision | None:
    """Return the next hint of the rung that is asked, or None when the ladder of hints is used up."""
    at = max(1, drill.rung)
    given = drill.hints.count(at)
    hints = question.rungs[at - 1].hints
    if given >= len(hints):
        return None
    steps = min(given + 1 + drill.pumped.count(at), len(HINT_CREDIT)) - 1
    move = Move(MoveKind.HINT, hints[given], "", at, "", HINT_CREDIT[steps])
    return Decision(replace(drill, rung=at, hints=(*drill.hints, at)), move)


def _open_ladder(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the first rung: the second, for whoever said anything; the first, for whoever did not.

    An opening that left nothing to ask is doubted once: a monologue alone shows no one who can defend it.
    """
    last, quotes = drill.answers[-1], _shown_quotes(drill)
    says_all = all(is_rung_passed(question, drill, number) for number in range(1, len(question.rungs) + 1))
    if says_all and quotes and not drill.doubts:
        return _doubt(drill, quotes[0])
    has_spoken = has_credit(last.assessment) or may_be_unmatched(last.text, last.assessment)
    return _up(question, replace(drill, rung=1 if has_spoken else 0), context)


def _held(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    last = drill.answers[-1]
    if "recited" in last.assessment.flags and drill.rung not in drill.recited:
        noted = replace(drill, recited=(*drill.recited, drill.rung))
        for number, rung in enumerate(question.rungs, 1):
            if rung.check and _is_open(question, noted, number):
                return Decision(
                    replace(noted, rung=number), Move(MoveKind.DEEPER, rung.ask, phrases.WITH_NUMBERS, number)
                )
        return _up(question, noted, context)
    quotes = _shown_quotes(drill)
    if context.may_doubt and quotes and last.has_passed and last.weight == 1.0 and not drill.doubts:
        return _doubt(drill, quotes[0])
    return _up(question, drill, context)


def _doubt(drill: Drill, quote: str) -> Decision:
    doubted = replace(drill, doubts=(Doubt(drill.rung, quote),))
    return Decision(doubted, Move(MoveKind.DOUBT, phrases.ARE_YOU_SURE, phrases.you_said(quote), drill.rung))


def _not_held(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    last = drill.answers[-1]
    if drill.rung not in drill.clarified:
        wanted = question.rungs[drill.rung - 1].points
        undecided = any(last.assessment.state_of(point) is State.UNDECIDED for point in wanted)
        ask = phrases.WHAT_DO_YOU_MEAN if undecided else phrases.CONCRETE_CASE
        if undecided or may_be_unmatched(last.text, last.assessment):
            move = Move(MoveKind.CLARIFY, ask, phrases.you_said(last.text), drill.rung, "", answered.weight)
            return Decision(replace(drill, clarified=(*drill.clarified, drill.rung)), move)
    tries = [answer for answer in drill.answers if answer.rung == drill.rung and answer.has_passed is not None]
    if len(tries) < TRIES_MAX and not _is_known(question, drill, context):
        probed = _probe(question, drill, drill.rung) or _ask_itself(question, drill, answered)
        return probed or _help(question, drill, context)
    return _down(question, drill, context)


def _help(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the next step of the hint ladder: say anything, the bank's hints, and then the rung is left."""
    at = max(1, drill.rung)
    if at not in drill.pumped and at not in drill.hints and drill.rung:
        # Whoever has just said something true must not be told to say something.
        heard = _heard_in(drill)
        ask = _part_heard(question, drill, at) if heard else phrases.SAY_WHAT_YOU_KNOW
        move = Move(MoveKind.HINT, ask, heard, at, "", HINT_CREDIT[0])
        return Decision(replace(drill, pumped=(*drill.pumped, at)), move)
    return next_hint(question, drill) or _halve(question, drill) or _down(question, replace(drill, rung=at), context)


def _halve(question: Question, drill: Drill) -> Decision | None:
    """Return the first half of an open point as a sentence to complete, once at a rung; after it the rung is left."""
    at = max(1, drill.rung)
    lacking = [point for point in question.rungs[at - 1].points if drill.credit_of(point) is None]
    if at in drill.halved or not lacking:
        return None
    ask = phrases.complete_this(question.point(lacking[0]).says)
    return Decision(
        replace(drill, rung=at, halved=(*drill.halved, at)), Move(MoveKind.HINT, ask, "", at, "", HINT_CREDIT[-1])
    )


def _clarify(question: Question, drill: Drill, answered: Move, lead: str, context: DecisionContext) -> Decision:
    if drill.rung in drill.clarified:
        return _up(question, drill, context)
    move = Move(MoveKind.CLARIFY, answered.words, lead, answered.rung, answered.target, answered.weight)
    # The answer to a clarification is an answer to the question before it, so it counts as one try of that kind.
    return Decision(replace(drill, clarified=(*drill.clarified, drill.rung)), move)


def _up(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the next rung up whose points are open; rungs answered unasked are not asked again."""
    if _is_known(question, drill, context):
        return Decision(_with_break(drill), None)
    for number in range(drill.rung + 1, len(question.rungs) + 1):
        if _is_open(question, drill, number):
            return _ask(question, drill, number)
    ended = _with_break(replace(drill, rung=len(question.rungs)))
    if context.may_improvise and is_rung_passed(question, drill, len(question.rungs)) and not drill.improvised:
        return Decision(replace(ended, improvised=True), Move(MoveKind.IMPROVISE, phrases.BEYOND, weight=0.0))
    return Decision(ended, None)


def _down(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return what follows a rung that did not hold: one down, or one past it where what is below holds, or the end."""
    failed = replace(drill, failed=(*drill.failed, drill.rung))
    below = [number for number in range(drill.rung - 1, 0, -1) if _is_open(question, failed, number)]
    if _is_known(question, failed, context):
        return _close(question, failed, below)
    held_below = [number for number in range(1, drill.rung) if is_rung_passed(question, failed, number)]
    if below and not (held_below and max(held_below) > below[0]):
        return _ask(question, failed, below[0], phrases.STEP_BACK)
    if drill.rung - 1 in drill.failed or drill.rung + 1 > len(question.rungs) or not held_below:
        return _close(question, failed, below)
    return _up(question, failed, context)


def _close(question: Question, drill: Drill, below: list[int]) -> Decision:
    """Return the end, or one easier rung before it: nobody should leave a topic on what they could not do."""
    if not below or _judged_count(drill) >= JUDGED_MAX:
        return Decision(_with_break(drill), None)
    return _ask(question, replace(drill, is_closing=True), below[0], phrases.BEFORE_WE_LEAVE)


def _ask(question: Question, drill: Drill, number: int, lead: str = "") -> Decision:
    on_rung = replace(drill, rung=number)
    if rung_share(question, drill, number) > 0 and (probed := _probe(question, on_rung, number, weight=1.0)):
        return probed
    return Decision(on_rung, Move(MoveKind.DEEPER, question.rungs[number - 1].ask, lead or _heard_in(drill), number))


def _is_known(question: Question, drill: Drill, context: DecisionContext) -> bool:
    """Return whether more rungs would hardly move the estimate, or enough of them were tried."""
    depth = estimate_depth(question, drill, context.error_rate)
    return _judged_count(drill) >= JUDGED_MAX or (depth is not None and depth.deviation < DEVIATION_ENOUGH)


def _judged_count(drill: Drill) -> int:
    return sum(answer.has_passed is not None for answer in drill.answers)


def _is_open(question: Question, drill: Drill, number: int) -> bool:
    return not is_rung_passed(question, drill, number) and not _has_tried(drill, number)


def _has_tried(drill: Drill, number: int) -> bool:
    return number in drill.failed or any(answer.rung == number for answer in drill.answers)


def _with_break(drill: Drill) -> Drill:
    """Return the drill with the lowest rung that did not hold as the one at which it broke."""
    return replace(drill, broke_at=min(drill.failed, default=None))


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


def _ask_itself(question: Question, drill: Drill, answered: Move) -> Decision | None:
    """Return the rung's own question where a probe has stood for it so far, or None."""
    if answered.kind is not MoveKind.PROBE or answered.weight < 1.0:
        return None
    ask = question.rungs[drill.rung - 1].ask
    return Decision(drill, Move(MoveKind.PROBE, ask, _heard_in(drill), drill.rung, "", HELPED_WEIGHT))


def _heard_in(drill: Drill) -> str:
    """Return a lead that quotes what the last answer earned, so that the candidate sees what was heard."""
    quotes = _shown_quotes(drill)
    return phrases.noted(quotes[-1]) if quotes else ""


def _part_heard(question: Question, drill: Drill, rung: int) -> str:
    """Return the words that ask on after an answer that showed something: of this rung, or only of another one."""
    last = drill.answers[-1].assessment
    is_of_rung = any(last.state_of(point) is State.SHOWN for point in question.rungs[rung - 1].points)
    return phrases.REST_OF_IT if is_of_rung else phrases.ANOTHER_PART


def _shown_quotes(drill: Drill) -> list[str]:
    last = drill.answers[-1].assessment
    return [point.quote for point in last.points if point.state is State.SHOWN and point.quote]


def hint_price(session: Session) -> str:
    """Return what the next hint costs in a few words, "" where none can be asked for."""
    if session.awaiting is Awaiting.SUBMISSION:
        has_more = session.work.hints < len(session.task(session.work.task).hints)
        return phrases.TASK_HINT_PRICE if has_more else phrases.NO_HINT_LEFT
    if session.awaiting is not Awaiting.ANSWER or observer_turns.is_observers_turn(session):
        return ""
    decision = next_hint(session.question(session.drill.question), session.drill)
    return phrases.hint_price(decision.move.weight) if decision and decision.move else phrases.NO_HINT_LEFT
