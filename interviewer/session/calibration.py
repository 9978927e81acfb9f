"""How well an examiner agreed with gold answers: what its scores are worth, carried by every session it judges."""

from __future__ import annotations

from dataclasses import dataclass

KAPPA_MIN = 0.5
UNDESERVED_MAX = 0.05
DEFAULT_ERROR_RATE = 0.1
# A posterior that believes a judge wholly, or not at all, learns nothing from the next answer.
ERROR_RATE_MIN, ERROR_RATE_MAX = 0.02, 0.4


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
        said = (
            f"point kappa {self.point_kappa:.2f} on {self.answers} gold answers, {self.undeserved:.1%} undeserved"
            f" points under attack, wrong about {self.error_rate:.0%} of rungs"
        )
        return f"calibrated: {said}" if self.is_good else f"uncalibrated, below the bar: {said}"


def error_rate_of(calibration: Calibration | None) -> float:
    """Return the judge's error rate as the posterior over depth uses it; a usual one where nothing was measured."""
    measured = calibration.error_rate if calibration else DEFAULT_ERROR_RATE
    return min(max(measured, ERROR_RATE_MIN), ERROR_RATE_MAX)
