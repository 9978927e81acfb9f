"""Scores answers and tasks: credited points, passed rungs, the posterior over depth, and task times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from interviewer.session.assessment import DEFAULT_ERROR_RATE, Assessment, CheckResult, State, error_rate_of
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point, Question
from interviewer.session.state import LEFT_EARLY, OFFLINE, Answer, Challenged, Credit, Drill, Session, TaskWork

PASS_SHARE = 2 / 3
LONG_WORDS = 25
GRID_STEP = 0.1
SLOPE = 2.0
INTERVAL_WIDTH_MAX = 2.5
AGAIN_WEIGHT = 0.5
# The probability that a check's result is misleading because of a lucky guess or an arithmetic error.
CHECK_ERROR_RATE = 0.05
# The reported depth may exceed the highest possible rung (`at_most`) by this much; a greater depth would be rounded up
# to the next rung.
_BEYOND_RUNG = 0.45
# A challenge's clock stops this long before its limit, because an event after the limit would end the session.
LIMIT_MARGIN_SECONDS = 0.05
_TRIES = (MoveKind.DEEPER, MoveKind.PROBE, MoveKind.HINT, MoveKind.CLARIFY, MoveKind.EXPLAIN)
# Flags that mean the candidate has no answer.
NO_ANSWER = frozenset({"does_not_know", "gives_up"})
_EMPTY_FLAGS = frozenset({"echo", "keywords", "instruction", "off_topic"})


def rung_share(question: Question, drill: Drill, rung: int) -> float:
    """Return the fraction of a rung's points credited so far, 0 to 1. Rungs are numbered from 1."""
    wanted = question.rungs[rung - 1].points
    heard = [drill.credit_of(point) for point in wanted]
    return sum(credit.state.credit for credit in heard if credit) / len(wanted)


def open_points(session: Session) -> tuple[Point, ...]:
    """Return the current question's points that have not been shown yet; () for a task."""
    part = session.current_part
    if part is None or part.kind != "question":
        return ()
    shown = {credit.point for credit in session.drill.credits if credit.state is State.SHOWN}
    return tuple(point for point in session.question(part.id).points if point.id not in shown)


def is_rung_passed(question: Question, drill: Drill, rung: int) -> bool:
    """Return whether a rung is passed: its check was answered correctly, or enough of its points are credited.

    A rung can be passed before the interviewer asks about it. If the candidate answered the rung's check incorrectly or
    abandoned a right answer, the rung is not passed until a later answer shows one of its points.
    """
    places = [place for place, answer in enumerate(drill.answers) if answer.rung == rung and answer.is_decisive]
    if places and drill.answers[places[-1]].has_passed:
        return True
    since = drill.answers[places[-1] + 1 :] if places else ()
    wanted = question.rungs[rung - 1].points
    is_shown_since = any(answer.assessment.state_of(point) is State.SHOWN for answer in since for point in wanted)
    return (not places or is_shown_since) and rung_share(question, drill, rung) >= PASS_SHARE


def checked_rungs(drill: Drill) -> tuple[int, ...]:
    """Return the rungs whose check was answered correctly, in ascending order."""
    right = {answer.rung for answer in drill.answers if answer.assessment.check is CheckResult.RIGHT}
    return tuple(sorted(right))


def failed_rungs(question: Question, drill: Drill) -> tuple[int, ...]:
    """Return the rungs that were asked, failed, and not passed later, in ascending order.

    A failed answer may be followed by another try. If the candidate moved on without another try, the rung counts as
    failed.
    """
    asked = {answer.rung for answer in drill.answers}
    failed = {*drill.failed} & asked
    if drill.left_why in LEFT_EARLY:
        failed |= {answer.rung for answer in drill.answers if answer.rung and answer.has_passed is False}
    return tuple(rung for rung in sorted(failed) if not is_rung_passed(question, drill, rung))


def unused_check(question: Question, drill: Drill, rung: int) -> int | None:
    """Return the index of a check of this rung that has not been asked yet, or None."""
    places = (place for place, check in enumerate(question.checks) if check.rung == rung)
    return next((place for place in places if place not in drill.checked), None)


def has_credit(assessment: Assessment) -> bool:
    """Return whether this answer earned any credit."""
    return any(point.state.credit for point in assessment.points)


def apply_assessment(question: Question, drill: Drill, answered: Move, text: str, assessment: Assessment) -> Drill:
    """Return the drill with the answer's credits, misconceptions and rung result added."""
    credits = {credit.point: credit for credit in drill.credits}
    # A candidate who abandons a correct answer when it is questioned keeps the credit. Whether the candidate stood by
    # the answer is recorded in `doubts`.
    may_lower = answered.kind is not MoveKind.DOUBT
    here = (*question.rungs[answered.rung - 1].points, answered.target) if answered.rung else ()
    for state in assessment.points if assessment.is_graded else ():
        known = credits.get(state.id)
        # To the offline examiner, a correct answer to one rung often seems to contradict another rung's point.
        is_elsewhere = assessment.judge == OFFLINE and bool(here) and state.id not in here
        if state.state is State.CONTRADICTED and is_elsewhere:
            continue
        is_news = state.state in (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
        is_taken_back = state.state is State.CONTRADICTED and may_lower
        if is_news and (known is None or is_taken_back or state.state.credit > known.state.credit):
            credits[state.id] = Credit(state.id, state.state, state.quote, state.why)
    if may_lower:
        for name in assessment.retracted:
            # "I take that back; it is the opposite" still contradicts the point, so the contradiction stays.
            if assessment.state_of(name) is not State.CONTRADICTED:
                credits.pop(name, None)
    known_beliefs = {belief.id for belief in drill.beliefs}
    beliefs = drill.beliefs + tuple(belief for belief in assessment.misconceptions if belief.id not in known_beliefs)
    grown = replace(drill, credits=tuple(credits.values()), beliefs=beliefs)
    if answered.kind is MoveKind.DOUBT:
        grown = replace(grown, doubts=(*drill.doubts[:-1], _resolve_doubt(drill.doubts[-1], assessment, here)))
        if grown.doubts[-1].stood is False and answered.rung:
            grown = replace(grown, failed=(*grown.failed, answered.rung))
    if answered.kind is MoveKind.CHALLENGE:
        grown = _after_challenge(grown, answered.target, assessment)
    has_passed = _has_passed(question, grown, answered, text, assessment)
    is_decisive = has_passed is not None and answered.kind in (MoveKind.CHECK, MoveKind.DOUBT)
    answer = Answer(answered.text, text, answered.rung, answered.weight, assessment, has_passed, is_decisive)
    return replace(grown, answers=(*grown.answers, answer))


def _has_passed(question: Question, grown: Drill, answered: Move, text: str, assessment: Assessment) -> bool | None:
    """Return whether an answer passed its rung; None if the answer is inconclusive."""
    if not answered.rung or not assessment.is_graded:
        return None
    if answered.kind is MoveKind.DOUBT:
        return False if grown.doubts[-1].stood is False else None
    if answered.kind is MoveKind.CHECK:
        return _check_passed(grown, answered, assessment)
    if answered.kind not in _TRIES or _is_no_try(text, assessment):
        return None
    has_passed = is_rung_passed(question, grown, answered.rung)
    # If the offline examiner finds too few points for a pass, the answer to the rung's check question decides.
    is_open = assessment.judge == OFFLINE and unused_check(question, grown, answered.rung) is not None
    return None if not has_passed and is_open and not NO_ANSWER.intersection(assessment.flags) else has_passed


def _check_passed(drill: Drill, answered: Move, assessment: Assessment) -> bool | None:
    if assessment.check in (CheckResult.RIGHT, CheckResult.WRONG):
        return assessment.check is CheckResult.RIGHT
    if NO_ANSWER.intersection(assessment.flags):
        return False
    # If the answer to a check does not contain exactly one result, the check is repeated. If the second answer does not
    # contain exactly one result either, it is treated as failed. A clarifying question does not count as an answer.
    if "asks_back" in assessment.flags:
        return None
    unread = [answer for answer in drill.unread_answers if answer.rung == answered.rung]
    is_second = any("asks_back" not in answer.assessment.flags for answer in unread)
    return False if is_second else None


def is_about_point(drill: Drill, asked: Move) -> bool:
    """Return whether a move asks about a contradicted point rather than a misconception."""
    return (
        asked.kind is MoveKind.CHALLENGE
        and asked.target not in drill.exposed
        and drill.contradiction_of(asked.target) is not None
    )


def _after_challenge(drill: Drill, target: str, assessment: Assessment) -> Drill:
    """Return the drill, updated if the answer corrects the misconception or contradicted point that was asked about."""
    if target in drill.exposed:
        is_taken_back = _takes_back(target, assessment)
        return replace(drill, corrected=(*drill.corrected, target)) if is_taken_back else drill
    is_shown = assessment.is_graded and assessment.state_of(target) is State.SHOWN
    asked_about = tuple(
        replace(found, is_corrected=True) if is_shown and found.point == target else found
        for found in drill.contradictions
    )
    return replace(drill, contradictions=asked_about)


def _takes_back(belief: str, assessment: Assessment) -> bool:
    """Return whether the answer to the question about a misconception corrects it."""
    is_repeated = any(found.id == belief for found in assessment.misconceptions)
    is_shown = any(point.state is State.SHOWN for point in assessment.points)
    return assessment.is_graded and not is_repeated and (is_shown or "gives_in" in assessment.flags)


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
    """Return whether an answer does not count as an attempt.

    This is the case if the candidate asks a question, if the judge could not decide, or if no phrasing matched a long
    answer.
    """
    undecided = any(point.state is State.UNDECIDED for point in assessment.points)
    open_yet = "asks_back" in assessment.flags or (undecided and not has_credit(assessment))
    return open_yet or may_be_unmatched(text, assessment)


def _resolve_doubt(doubt: Challenged, assessment: Assessment, here: Sequence[str]) -> Challenged:
    """Record whether the candidate stood by the right answer; do nothing if their reply is inconclusive.

    `here` contains the rung's points; only these can be contradicted. If it is empty, all points can.
    """
    if not assessment.is_graded:
        return doubt
    flags = set(assessment.flags)
    is_contradicted = any(
        point.state is State.CONTRADICTED and (not here or point.id in here) for point in assessment.points
    )
    # "I'm not sure why they disagree, but I stand by it" stands by the answer.
    has_no_answer = "stands" not in flags and not flags.isdisjoint(NO_ANSWER)
    if is_contradicted or "gives_in" in flags or has_no_answer or assessment.retracted:
        return replace(doubt, stood=False)
    is_shown = any(point.state is State.SHOWN for point in assessment.points)
    return replace(doubt, stood=True) if is_shown or "stands" in flags else doubt


@dataclass(frozen=True)
class Depth:
    """The posterior over the candidate's depth, in rungs (0 = none): mean, central 80% interval, standard deviation."""

    mean: float
    low: float
    high: float
    deviation: float

    def __str__(self) -> str:
        """Return the depth as text; if the interval is too wide, the text contains only the interval, not the mean."""
        if self.high - self.low > INTERVAL_WIDTH_MAX:
            return f"not enough evidence: {self.low:.0f}–{self.high:.0f}"
        return f"depth {self.mean:.0f} ({self.low:.0f}–{self.high:.0f})"


@dataclass(frozen=True)
class Observation:
    """Whether a rung was passed, the weight of this observation, and the error rate of its source."""

    rung: int
    has_passed: bool
    weight: float
    error_rate: float


def observations(question: Question, drill: Drill, error_rate: float = DEFAULT_ERROR_RATE) -> list[Observation]:
    """Return one or two observations per judged rung.

    A rung that the candidate covered before the interviewer asked about it counts as passed. If a rung has several
    answers, only the first and the last count, because the answers in between show the same gap again. If any of these
    answers respond to a check or abandon a right answer, the rung's other answers are ignored.
    """
    tries: dict[int, list[Answer]] = {}
    for answer in drill.answers:
        if answer.has_passed is not None:
            tries.setdefault(answer.rung, []).append(answer)
    seen = []
    for rung, answers in tries.items():
        decisive = [answer for answer in answers if answer.is_decisive]
        first, *later = decisive or answers
        rate = CHECK_ERROR_RATE if decisive else error_rate
        seen.append(Observation(rung, bool(first.has_passed), first.weight, rate))
        if later:
            has_passed = bool(later[-1].has_passed)
            seen.append(Observation(rung, has_passed, later[-1].weight if has_passed else AGAIN_WEIGHT, rate))
    unasked = [number for number in range(1, len(question.rungs) + 1) if number not in tries]
    held = [rung for rung in unasked if rung_share(question, drill, rung) >= PASS_SHARE]
    return seen + [Observation(rung, True, 1.0, error_rate) for rung in held]


def session_depth(session: Session, drill: Drill) -> Depth | None:
    """Return the candidate's estimated depth in a drill, using the error rate of the session's examiner."""
    return reported_depth(session.question(drill.question), drill, error_rate_of(session.calibration))


def reported_depth(question: Question, drill: Drill, error_rate: float = DEFAULT_ERROR_RATE) -> Depth | None:
    """Return the estimated depth, capped by failed rungs and correctly answered checks; None if nothing was judged.

    A failed rung caps the depth just below that rung. If the offline examiner judged every judged answer to a question
    with checks, the depth is at most one rung above the highest rung whose check was answered correctly.
    """
    tops = [rung - 1 for rung in failed_rungs(question, drill)[:1]]
    judged = (answer.assessment for answer in drill.answers if answer.assessment.is_graded)
    if question.checks and all(assessment.judge == OFFLINE for assessment in judged):
        tops.append(max(checked_rungs(drill), default=0) + 1)
    return estimate_depth(question, drill, error_rate, min(tops) if tops else None)


def estimate_depth(
    question: Question, drill: Drill, error_rate: float = DEFAULT_ERROR_RATE, at_most: int | None = None
) -> Depth | None:
    """Return the posterior over the depth, or None if nothing was judged; `at_most` is the highest possible rung.

    The grid runs from 0 to the ladder's length plus one. The likelihood of passing rung b at depth d is (1 -
    2e)·sigmoid(2(d - b + 1/2)) + e, raised to the power of the observation's weight; e is the error rate.
    """
    seen = observations(question, drill, error_rate)
    if not seen:
        return None
    top = len(question.rungs)
    end = top + 1 if at_most is None else min(top + 1, at_most + _BEYOND_RUNG)
    grid = [index * GRID_STEP for index in range(math.floor(end / GRID_STEP + 1e-9) + 1)]
    weights = [math.exp(sum(_log_likelihood(depth, observation) for observation in seen)) for depth in grid]
    total = sum(weights)
    shares = [weight / total for weight in weights]
    mean = sum(depth * share for depth, share in zip(grid, shares, strict=True))
    variance = sum((depth - mean) ** 2 * share for depth, share in zip(grid, shares, strict=True))
    low, high = (min(_quantile(grid, shares, tail), float(top)) for tail in (0.1, 0.9))
    return Depth(min(mean, float(top)), low, high, math.sqrt(variance))


def _log_likelihood(depth: float, seen: Observation) -> float:
    passes = 1 / (1 + math.exp(-SLOPE * (depth - seen.rung + 0.5)))
    likelihood = (1 - 2 * seen.error_rate) * passes + seen.error_rate
    return seen.weight * math.log(likelihood if seen.has_passed else 1 - likelihood)


def _quantile(grid: list[float], shares: list[float], wanted: float) -> float:
    mass = 0.0
    for depth, share in zip(grid, shares, strict=True):
        mass += share
        if mass >= wanted:
            return depth
    return grid[-1]


def seconds_taken(session: Session, work: TaskWork) -> float | None:
    """Return the seconds from opening a task to passing it, excluding pauses; None after hints or past the limit."""
    if not work.has_passed or work.hints or work.closed_seconds is None:
        return None
    is_in_time = work.closed_seconds < 60 * session.plan.minutes - 2 * LIMIT_MARGIN_SECONDS
    return work.closed_seconds - work.opened_seconds if is_in_time else None
