"""The policy finds how deep a candidate can go, in at most six judged answers, although its judge errs."""

from __future__ import annotations

import math
import random
import statistics

from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.credit import absorb
from interviewer.session.depth import depth_of
from interviewer.session.drill import Drill
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import JUDGED_MAX, Circumstances, decide
from interviewer.session.question import Point, Probe, Question, Rung

RUNGS = 5
CANDIDATES = 1000
SLOPE = 2.0
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


def judged(rung: int, depth: float, error_rate: float, chance: random.Random) -> Assessment:
    """Return what a judge that errs says of a candidate's answer at a rung."""
    holds = chance.random() < 1 / (1 + math.exp(-SLOPE * (depth - rung + 0.5)))
    if chance.random() < error_rate:
        holds = not holds
    shown = {f"p{rung}a", f"p{rung}b"} if holds else set()
    states = (PointState(one.id, State.SHOWN if one.id in shown else State.MISSING, "so") for one in LADDER.points)
    return Assessment("llm:x", True, tuple(states))


def measured(depth: float, error_rate: float, chance: random.Random) -> tuple[float, int]:
    """Return the depth that an interview finds, and how many judged answers it took."""
    drill, move = Drill(LADDER.id), Move(MoveKind.NEXT, LADDER.prompt)
    while True:
        assessment = judged(max(1, move.rung), depth, error_rate, chance)
        drill = absorb(LADDER, drill, move, "An answer.", assessment)
        decision = decide(LADDER, drill, move, Circumstances(max(error_rate, 0.02)))
        drill = decision.drill
        if decision.move is None:
            found = depth_of(LADDER, drill, max(error_rate, 0.02))
            assert found is not None
            return found.mean, sum(answer.has_passed is not None for answer in drill.answers)
        move = decision.move


def errors(error_rate: float) -> list[float]:
    chance = random.Random(20261121)
    found = []
    for _ in range(CANDIDATES):
        depth = chance.uniform(0, RUNGS)
        mean, count = measured(depth, error_rate, chance)
        assert count <= JUDGED_MAX
        found.append(mean - depth)
    return found


def test_depth_is_found_within_the_bound_when_one_judgement_in_ten_is_wrong() -> None:
    found = errors(0.1)
    assert math.sqrt(statistics.mean(one * one for one in found)) <= 0.85
    assert abs(statistics.mean(found)) <= 0.3


def test_a_perfect_judge_finds_it_better() -> None:
    assert math.sqrt(statistics.mean(one * one for one in errors(0.0))) <= 0.65
