"""How one answer was judged: a state with its quote for each point; a model never gives the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

KAPPA_MIN = 0.5
UNDESERVED_MAX = 0.05
DEFAULT_ERROR_RATE = 0.1
# A posterior that believes a judge wholly, or not at all, learns nothing from the next answer.
ERROR_RATE_MIN, ERROR_RATE_MAX = 0.02, 0.4


class State(StrEnum):
    """Name what an answer did with one point. `undecided` is used when votes disagree; it earns and costs nothing."""

    SHOWN = "shown"
    PARTIAL = "partial"
    MISSING = "missing"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"

    @property
    def credit(self) -> float:
        """Return the share of the point that this state earns."""
        return {State.SHOWN: 1.0, State.PARTIAL: 0.5}.get(self, 0.0)


@dataclass(frozen=True)
class PointState:
    """Hold the state of one point; a credited or contradicted one carries the verbatim words that it rests on.

    `votes` is how many of how many votes gave this state ("2 of 3"), empty when there was no vote to count.
    """

    id: str
    state: State
    quote: str = ""
    votes: str = ""


@dataclass(frozen=True)
class Belief:
    """Hold one misconception heard, with the verbatim words."""

    id: str
    quote: str


@dataclass(frozen=True)
class Assessment:
    """Hold how one answer was judged. When nothing could judge it, `is_graded` is false and `why_not` says why.

    `judge` names who judged: "offline", or "llm:" and the model's name. `flags` are remarks that change no state:
    empty, echo, keywords, off_topic, instruction, asks_back, does_not_know, cut.
    """

    judge: str
    is_graded: bool
    points: tuple[PointState, ...] = ()
    misconceptions: tuple[Belief, ...] = ()
    flags: tuple[str, ...] = ()
    why_not: str = ""

    def state_of(self, point_id: str) -> State:
        """Return the state of one point; a point that was not judged is missing."""
        return next((point.state for point in self.points if point.id == point_id), State.MISSING)


def score(assessment: Assessment, point_ids: Sequence[str]) -> float | None:
    """Return the share of these points that the answer earned, 0 to 1; None when nothing judged it or none is named."""
    if not assessment.is_graded or not point_ids:
        return None
    return sum(assessment.state_of(point_id).credit for point_id in point_ids) / len(point_ids)


@dataclass(frozen=True)
class Calibration:
    """Hold one examiner's result on the gold answers.

    `version` stands for the prompt or the listening rules, `rubric` for the gold answers and their questions: where
    one of them has changed since, the result says nothing. `point_kappa` is chance-corrected agreement on shown
    against not shown; `undeserved` the share of undeserved points that attacks were credited with; `error_rate` the
    share of rungs on which it and the gold disagree. `at` is seconds since 1970.
    """

    examiner: str
    version: str
    rubric: str
    at: float
    answers: int
    point_kappa: float
    undeserved: float
    error_rate: float

    @property
    def is_good(self) -> bool:
        """Return whether scores of this examiner may stand without the word uncalibrated."""
        return self.point_kappa >= KAPPA_MIN and self.undeserved <= UNDESERVED_MAX

    def __str__(self) -> str:
        """Return the result in one line, as it stands beside a score."""
        summary = (
            f"point kappa {self.point_kappa:.2f} on {self.answers} gold answers, {self.undeserved:.1%} undeserved"
            f" points under attack, wrong about {self.error_rate:.0%} of rungs"
        )
        return f"calibrated: {summary}" if self.is_good else f"uncalibrated, below the bar: {summary}"


def error_rate_of(calibration: Calibration | None) -> float:
    """Return the judge's error rate as the posterior over depth uses it; a usual one where nothing was measured."""
    measured = calibration.error_rate if calibration else DEFAULT_ERROR_RATE
    return min(max(measured, ERROR_RATE_MIN), ERROR_RATE_MAX)
