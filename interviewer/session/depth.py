"""How deep a candidate got on one ladder: a posterior over depth, shown as "depth 3 (2–4)"."""

from __future__ import annotations

import math
from dataclasses import dataclass

from interviewer.session.calibration import DEFAULT_ERROR_RATE, error_rate_of
from interviewer.session.credit import PASS_SHARE, rung_share
from interviewer.session.drill import Drill
from interviewer.session.question import Question
from interviewer.session.state import Session

GRID_STEP = 0.1
SLOPE = 2.0
WIDEST = 2.5
AGAIN_WEIGHT = 0.5


@dataclass(frozen=True)
class Depth:
    """Hold the posterior's mean, its central 80 % and its standard deviation, in rungs (0 = none)."""

    mean: float
    low: float
    high: float
    deviation: float

    def __str__(self) -> str:
        """Return the depth as it is shown to people; a wide interval is shown without a middle it does not support."""
        if self.high - self.low > WIDEST:
            return f"too little heard to say: {self.low:.0f}–{self.high:.0f}"
        return f"depth {self.mean:.0f} ({self.low:.0f}–{self.high:.0f})"


def observations(question: Question, drill: Drill) -> list[tuple[int, bool, float]]:
    """Return (rung, held, weight) for every judged rung; a rung answered before it was asked counts as held.

    Of several answers at one rung the first and the last count: those between are the same gap, seen again.
    """
    tries: dict[int, list[tuple[bool, float]]] = {}
    for one in drill.answers:
        if one.has_passed is not None:
            tries.setdefault(one.rung, []).append((one.has_passed, one.weight))
    seen = [(rung, *results[0]) for rung, results in tries.items()]
    for rung, (*earlier, (held, weight)) in tries.items():
        if earlier:
            seen.append((rung, held, weight if held else AGAIN_WEIGHT))
    unasked = [number for number in range(1, len(question.rungs) + 1) if number not in tries]
    return seen + [(rung, True, 1.0) for rung in unasked if rung_share(question, drill, rung) >= PASS_SHARE]


def depth_in(session: Session, drill: Drill) -> Depth | None:
    """Return the depth that a drill of this session reached, by its examiner's measured error rate."""
    return depth_of(session.question(drill.question), drill, error_rate_of(session.calibration))


def depth_of(question: Question, drill: Drill, error_rate: float = DEFAULT_ERROR_RATE) -> Depth | None:
    """Return the depth reached, or None when nothing was judged.

    Grid from 0 to the ladder's length plus one; likelihood of holding rung b at depth d:
    (1 - 2e)·sigmoid(2(d - b + 1/2)) + e, to the power of the observation's weight; e is the judge's error rate.
    """
    seen = observations(question, drill)
    if not seen:
        return None
    top = len(question.rungs)
    grid = [index * GRID_STEP for index in range(round((top + 1) / GRID_STEP) + 1)]
    weights = [math.exp(sum(_log_likelihood(depth, one, error_rate) for one in seen)) for depth in grid]
    total = sum(weights)
    shares = [weight / total for weight in weights]
    mean = sum(depth * share for depth, share in zip(grid, shares, strict=True))
    variance = sum((depth - mean) ** 2 * share for depth, share in zip(grid, shares, strict=True))
    low, high = (min(_quantile(grid, shares, tail), float(top)) for tail in (0.1, 0.9))
    return Depth(min(mean, float(top)), low, high, math.sqrt(variance))


def _log_likelihood(depth: float, observation: tuple[int, bool, float], error_rate: float) -> float:
    rung, has_held, weight = observation
    holds = (1 - 2 * error_rate) / (1 + math.exp(-SLOPE * (depth - rung + 0.5))) + error_rate
    return weight * math.log(holds if has_held else 1 - holds)


def _quantile(grid: list[float], shares: list[float], wanted: float) -> float:
    mass = 0.0
    for depth, share in zip(grid, shares, strict=True):
        mass += share
        if mass >= wanted:
            return depth
    return grid[-1]
