"""The policy finds a candidate's depth in at most six judged answers, although its judge makes errors."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import replace

import pytest

from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import JUDGED_MAX, DecisionContext, decide
from interviewer.session.question import Point, Probe, Question, Rung
from interviewer.session.scoring import Depth, apply_assessment, estimate_depth
from interviewer.session.state import Answer, Drill

pytestmark = pytest.mark.slow

RUNGS = 5
CANDIDATES = 1000
SLOPE = 2.0
# Experts consider it justified to skip a question that would move the estimate by less.
MOVES_AT_LEAST = 0.1
LADDER = Question(
    id="ladder",
    area="foundations",
    level=3,
    topics=("x",),
    seeds=(),
    source=("x",),
    prompt="Why?",
    points=tuple(Point(f"p{rung}{side}", "Says.", ("x",)) for rung in range(1, RUNGS + 1) for side in "ab"),
    rungs=tuple(
        Rung(f"Rung {rung}?", "Answer.", (f"p{rung}a", f"p{rung}b"), ("look", "closer")) for rung in range(1, RUNGS + 1)
    ),
    probes=tuple(
        Probe(f"Probe {rung}{side}?", missing=f"p{rung}{side}") for rung in range(1, RUNGS + 1) for side in "ab"
    ),
    misconceptions=(),
)


def judged(rung: int, depth: float, error_rate: float, rng: random.Random) -> Assessment:
    """Return the judgment of an error-prone judge on a candidate's answer at a rung."""
    holds = rng.random() < 1 / (1 + math.exp(-SLOPE * (depth - rung + 0.5)))
    if rng.random() < error_rate:
        holds = not holds
    shown = {f"p{rung}a", f"p{rung}b"} if holds else set()
    ids = [point.id for point in LADDER.points]
    states = (PointState(point_id, State.SHOWN if point_id in shown else State.MISSING, "so") for point_id in ids)
    return Assessment("llm:x", True, tuple(states))


def interview(depth: float, error_rate: float, rng: random.Random) -> list[tuple[Drill, Move | None]]:
    """Return the drill and the next move at each moment; no move follows the last one."""
    moments: list[tuple[Drill, Move | None]] = [(Drill(LADDER.id), Move(MoveKind.NEXT, LADDER.prompt))]
    while (move := moments[-1][1]) is not None:
        assessment = judged(max(1, move.rung), depth, error_rate, rng)
        drill = apply_assessment(LADDER, moments[-1][0], move, "An answer.", assessment)
        decision = decide(LADDER, drill, move, DecisionContext(max(error_rate, 0.02)))
        moments.append((decision.drill, decision.move))
    return moments


def left_with(drill: Drill, error_rate: float) -> Depth:
    """Return the depth at the end of an interview."""
    depth = estimate_depth(LADDER, drill, max(error_rate, 0.02))
    assert depth is not None
    return depth


def errors(error_rate: float) -> list[float]:
    rng = random.Random(20261121)
    differences = []
    for _ in range(CANDIDATES):
        depth = rng.uniform(0, RUNGS)
        drill, _ = interview(depth, error_rate, rng)[-1]
        assert sum(answer.has_passed is not None for answer in drill.answers) <= JUDGED_MAX
        differences.append(left_with(drill, error_rate).mean - depth)
    return differences


def test_depth_is_found_within_the_bound_when_one_judgement_in_ten_is_wrong() -> None:
    differences = errors(0.1)
    assert math.sqrt(statistics.mean(difference * difference for difference in differences)) <= 0.85
    assert abs(statistics.mean(differences)) <= 0.3


def test_a_perfect_judge_finds_it_better() -> None:
    assert math.sqrt(statistics.mean(difference * difference for difference in errors(0.0))) <= 0.65


def would_move(drill: Drill, move: Move, error_rate: float) -> float:
    """Return the largest possible change of the depth, in rungs, from an answer to this move."""
    now = estimate_depth(LADDER, drill, error_rate)
    if now is None:
        return RUNGS
    unheard = Assessment("nobody", is_graded=True)
    answers = [Answer("", "", move.rung, move.weight, unheard, has_passed) for has_passed in (True, False)]
    after = [estimate_depth(LADDER, replace(drill, answers=(*drill.answers, answer)), error_rate) for answer in answers]
    return max(abs(depth.mean - now.mean) for depth in after if depth)


@pytest.mark.parametrize("error_rate", [0.02, 0.1, 0.2])
def test_nothing_is_asked_that_could_not_move_the_depth(error_rate: float) -> None:
    """The stop rules end a topic, by a narrow posterior or by count, before further answers would change little."""
    rng = random.Random(7)
    least = float(RUNGS)
    for _ in range(200):
        for drill, move in interview(rng.uniform(0, RUNGS), error_rate, rng):
            # The last question, which is easier, is there for the candidate and not for the estimate.
            if move is not None and move.rung and not drill.is_closing:
                least = min(least, would_move(drill, move, error_rate))
    assert MOVES_AT_LEAST <= least < RUNGS


@pytest.mark.parametrize(("error_rate", "share_max"), [(0.02, 0.0), (0.1, 0.01)])
def test_a_topic_that_was_left_is_better_known_than_any_that_was_not_asked(error_rate: float, share_max: float) -> None:
    """So the plan's next topic is the one with the widest posterior, and nothing needs to be reordered."""
    unasked = (RUNGS + 1) / math.sqrt(12)  # of a uniform posterior over the grid
    rng = random.Random(11)
    ends = [interview(rng.uniform(0, RUNGS), error_rate, rng)[-1][0] for _ in range(500)]
    wider = [drill for drill in ends if left_with(drill, error_rate).deviation > unasked]
    assert len(wider) / len(ends) <= share_max
