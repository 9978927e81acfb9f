"""Scores of answers and tasks: credited points, passed rungs, the posterior over depth, and task times."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from interviewer.session.assessment import DEFAULT_ERROR_RATE, Assessment, State, error_rate_of
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point, Question
from interviewer.session.state import OFFLINE, Answer, Challenged, Credit, Drill, Session, TaskWork

PASS_SHARE = 2 / 3
LONG_WORDS = 25
GRID_STEP = 0.1
SLOPE = 2.0
INTERVAL_WIDTH_MAX = 2.5
AGAIN_WEIGHT = 0.5
# A challenge's clock stops this long before its limit, so that no event lies past it and ends the session.
LIMIT_MARGIN_SECONDS = 0.05
_TRIES = (MoveKind.DEEPER, MoveKind.PROBE, MoveKind.HINT, MoveKind.CLARIFY)
_EMPTY_FLAGS = frozenset({"echo", "keywords", "instruction", "off_topic"})


def rung_share(question: Question, drill: Drill, rung: int) -> float:
    """Return the share of a rung's points that are credited so far, 0 to 1. `rung` counts from 1."""
    wanted = question.rungs[rung - 1].points
    heard = [drill.credit_of(point) for point in wanted]
    return sum(credit.state.credit for credit in heard if credit) / len(wanted)


def open_points(session: Session) -> tuple[Point, ...]:
    """Return the points of the current question that are not shown yet; a task has none."""
    part = session.current_part
    if part is None or part.kind != "question":
        return ()
    shown = {credit.point for credit in session.drill.credits if credit.state is State.SHOWN}
    return tuple(point for point in session.question(part.id).points if point.id not in shown)


def is_rung_passed(question: Question, drill: Drill, rung: int) -> bool:
    """Return whether enough of a rung's points are credited, whether or not the rung was asked."""
    return rung_share(question, drill, rung) >= PASS_SHARE


def has_credit(assessment: Assessment) -> bool:
    """Return whether the answer earned anything."""
    return any(point.state.credit for point in assessment.points)


def apply_assessment(question: Question, drill: Drill, answered: Move, text: str, assessment: Assessment) -> Drill:
    """Return the drill with the answer's credits, misconceptions and rung result added."""
    credits = {credit.point: credit for credit in drill.credits}
    # A candidate who gives in to a doubt was right before: the doubt records it, and no credit is lost.
    may_lower = answered.kind is not MoveKind.DOUBT
    for state in assessment.points if assessment.is_graded else ():
        known = credits.get(state.id)
        is_news = state.state in (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
        is_taken_back = state.state is State.CONTRADICTED and may_lower
        if is_news and (known is None or is_taken_back or state.state.credit >= known.state.credit):
            credits[state.id] = Credit(state.id, state.state, state.quote)
    known_beliefs = {belief.id for belief in drill.beliefs}
    beliefs = drill.beliefs + tuple(belief for belief in assessment.misconceptions if belief.id not in known_beliefs)
    grown = replace(drill, credits=tuple(credits.values()), beliefs=beliefs)
    if answered.kind is MoveKind.DOUBT:
        grown = replace(grown, doubts=(*drill.doubts[:-1], _resolve_doubt(drill.doubts[-1], assessment)))
    is_try = assessment.is_graded and answered.kind in _TRIES and not _is_no_try(text, assessment)
    has_passed = is_rung_passed(question, grown, answered.rung) if is_try and answered.rung else None
    answer = Answer(answered.text, text, answered.rung, answered.weight, assessment, has_passed)
    return replace(grown, answers=(*grown.answers, answer))


def may_be_unmatched(text: str, assessment: Assessment) -> bool:
    """Return whether a long answer may have earned nothing only because no phrasing matched its wording."""
    return (
        assessment.judge == OFFLINE
        and assessment.is_graded
        and len(text.split()) >= LONG_WORDS
        and not has_credit(assessment)
        and not assessment.misconceptions
        and not _EMPTY_FLAGS.intersection(assessment.flags)
    )


def _is_no_try(text: str, assessment: Assessment) -> bool:
    """Return whether an answer does not count as a try: it asks back, its votes disagree, or it may be unmatched."""
    undecided = any(point.state is State.UNDECIDED for point in assessment.points)
    open_yet = "asks_back" in assessment.flags or (undecided and not has_credit(assessment))
    return open_yet or may_be_unmatched(text, assessment)


def _resolve_doubt(doubt: Challenged, assessment: Assessment) -> Challenged:
    """Return the doubt with whether the candidate kept the right answer; unchanged if nothing judged it."""
    if not assessment.is_graded:
        return doubt
    is_taken_back = any(point.state is State.CONTRADICTED for point in assessment.points)
    gives_in = {"does_not_know", "gives_in"}.intersection(assessment.flags)
    return replace(doubt, stood=not (is_taken_back or gives_in))


@dataclass(frozen=True)
class Depth:
    """Hold the posterior's mean, its central 80 % and its standard deviation, in rungs (0 = none)."""

    mean: float
    low: float
    high: float
    deviation: float

    def __str__(self) -> str:
        """Return the depth as text; a wide interval is shown without its mean, which the data do not support."""
        if self.high - self.low > INTERVAL_WIDTH_MAX:
            return f"too little heard to say: {self.low:.0f}–{self.high:.0f}"
        return f"depth {self.mean:.0f} ({self.low:.0f}–{self.high:.0f})"


def observations(question: Question, drill: Drill) -> list[tuple[int, bool, float]]:
    """Return (rung, passed, weight) for every judged rung; a rung covered before it was asked counts as passed.

    Of several answers at one rung, the first and the last count: those between show the same gap again.
    """
    tries: dict[int, list[tuple[bool, float]]] = {}
    for answer in drill.answers:
        if answer.has_passed is not None:
            tries.setdefault(answer.rung, []).append((answer.has_passed, answer.weight))
    seen = [(rung, *results[0]) for rung, results in tries.items()]
    for rung, (*earlier, (has_passed, weight)) in tries.items():
        if earlier:
            seen.append((rung, has_passed, weight if has_passed else AGAIN_WEIGHT))
    unasked = [number for number in range(1, len(question.rungs) + 1) if number not in tries]
    return seen + [(rung, True, 1.0) for rung in unasked if rung_share(question, drill, rung) >= PASS_SHARE]


def session_depth(session: Session, drill: Drill) -> Depth | None:
    """Return the depth of a drill in this session, with the measured error rate of its examiner."""
    return estimate_depth(session.question(drill.question), drill, error_rate_of(session.calibration))


def estimate_depth(question: Question, drill: Drill, error_rate: float = DEFAULT_ERROR_RATE) -> Depth | None:
    """Return the depth reached, or None if nothing was judged.

    Grid from 0 to the ladder's length plus one; the likelihood of passing rung b at depth d is
    (1 - 2e)·sigmoid(2(d - b + 1/2)) + e, to the power of the weight of the observation; e is the examiner's error rate.
    """
    seen = observations(question, drill)
    if not seen:
        return None
    top = len(question.rungs)
    grid = [index * GRID_STEP for index in range(round((top + 1) / GRID_STEP) + 1)]
    weights = [math.exp(sum(_log_likelihood(depth, observation, error_rate) for observation in seen)) for depth in grid]
    total = sum(weights)
    shares = [weight / total for weight in weights]
    mean = sum(depth * share for depth, share in zip(grid, shares, strict=True))
    variance = sum((depth - mean) ** 2 * share for depth, share in zip(grid, shares, strict=True))
    low, high = (min(_quantile(grid, shares, tail), float(top)) for tail in (0.1, 0.9))
    return Depth(min(mean, float(top)), low, high, math.sqrt(variance))


def _log_likelihood(depth: float, observation: tuple[int, bool, float], error_rate: float) -> float:
    rung, has_passed, weight = observation
    likelihood = (1 - 2 * error_rate) / (1 + math.exp(-SLOPE * (depth - rung + 0.5))) + error_rate
    return weight * math.log(likelihood if has_passed else 1 - likelihood)


def _quantile(grid: list[float], shares: list[float], wanted: float) -> float:
    mass = 0.0
    for depth, share in zip(grid, shares, strict=True):
        mass += share
        if mass >= wanted:
            return depth
    return grid[-1]


def seconds_taken(session: Session, work: TaskWork) -> float | None:
    """Return the seconds from opening a task to passing it, without pauses; None with hints or past the limit."""
    if not work.has_passed or work.hints or work.closed_seconds is None:
        return None
    is_in_time = work.closed_seconds < 60 * session.plan.minutes - 2 * LIMIT_MARGIN_SECONDS
    return work.closed_seconds - work.opened_seconds if is_in_time else None
