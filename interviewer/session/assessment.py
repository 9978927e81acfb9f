"""The types for the judgment of an answer and the calibration of its judge. The language model never sets the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# Joins the two quotes of a partly covered point. One of them may show the half that the candidate got wrong.
QUOTES_JOINT = " … "
# The flag of an answer that the offline examiner judged by phrase matching alone, because its matcher failed.
PHRASINGS_ONLY = "phrasings"
# The flag of an answer that could not be judged although the model replied: it refused, or no reply was a judgment.
UNUSABLE = "unusable"
KAPPA_MIN = 0.5
UNDESERVED_MAX = 0.05
DEFAULT_ERROR_RATE = 0.1
# At an error rate of 0, a single answer would determine the posterior; at 1/2, no answer would change it.
ERROR_RATE_MIN, ERROR_RATE_MAX = 0.02, 0.4


class State(StrEnum):
    """How well an answer covers one point; `undecided` (the judge's votes disagree) neither earns nor loses credit."""

    SHOWN = "shown"
    PARTIAL = "partial"
    MISSING = "missing"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"

    @property
    def credit(self) -> float:
        """Return the fraction of the point's credit that this state earns, 0 to 1."""
        return {State.SHOWN: 1.0, State.PARTIAL: 0.5}.get(self, 0.0)


class CheckResult(StrEnum):
    """The result of checking a verifiable answer in code.

    `half` means that the answer contains only one of the two required parts: the claim, or the value that decides which
    claim is true. `unread` means that the answer contains no result, or more than one. `""` means that the interviewer
    did not ask a check question.
    """

    NONE = ""
    RIGHT = "right"
    WRONG = "wrong"
    HALF = "half"
    UNREAD = "unread"


@dataclass(frozen=True)
class PointState:
    """The state of one point; `quote` is the verbatim evidence for a credited or contradicted point.

    For a partly covered point, a model may give two quotes; `QUOTES_JOINT` joins them, in the order of the reply.
    `votes` counts the votes for this state ("2 of 3"); "" if there was no voting. `why` is a language model's reason
    for this state.
    """

    id: str
    state: State
    quote: str = ""
    votes: str = ""
    why: str = ""


@dataclass(frozen=True)
class Belief:
    """One misconception found in an answer, with its verbatim quote."""

    id: str
    quote: str


@dataclass(frozen=True)
class Assessment:
    """The result of judging one answer. If the answer could not be judged, `is_graded` is false and `why_not` says why.

    `judge` is "offline", or "llm:" followed by the model name. `flags` are labels that do not change any point state:
    empty, echo, keywords, off_topic, instruction, asks_back, does_not_know, cut, phrasings, recited, stands, gives_in,
    gives_up, unusable. `check` is the result of the code check, regardless of who judged the rest of the answer. `asks`
    is the candidate's own question to the interviewer, verbatim. `retracted` are points credited for an earlier answer
    that the candidate withdraws in this answer.
    """

    judge: str
    is_graded: bool
    points: tuple[PointState, ...] = ()
    misconceptions: tuple[Belief, ...] = ()
    flags: tuple[str, ...] = ()
    why_not: str = ""
    check: CheckResult = CheckResult.NONE
    asks: str = ""
    retracted: tuple[str, ...] = ()

    def state_of(self, point_id: str) -> State:
        """Return the state of one point; `MISSING` if it was not judged."""
        return next((point.state for point in self.points if point.id == point_id), State.MISSING)


def score(assessment: Assessment, point_ids: Sequence[str]) -> float | None:
    """Return the fraction of these points that the answer earned, 0 to 1; None if ungraded or without points."""
    if not assessment.is_graded or not point_ids:
        return None
    return sum(assessment.state_of(point_id).credit for point_id in point_ids) / len(point_ids)


@dataclass(frozen=True)
class Calibration:
    """One examiner's result on the gold answers.

    `version` identifies the prompt or the matching rules. `rubric` identifies the gold answers and their questions. If
    `version` or `rubric` has changed, the result no longer applies. `point_kappa` is Cohen's kappa for points shown
    versus points not shown. `undeserved` is the fraction of unearned points that were fully credited to adversarial
    answers. `error_rate` is the fraction of rungs on which the examiner and the gold answers disagree. `at` is the time
    of the calibration in seconds since 1970.
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
        """Return whether this examiner's scores can be shown without the label "uncalibrated"."""
        return self.point_kappa >= KAPPA_MIN and self.undeserved <= UNDESERVED_MAX

    def __str__(self) -> str:
        """Return a one-line summary, shown next to a score."""
        summary = (
            f"point-level kappa {self.point_kappa:.2f} on {self.answers} gold answers, "
            f"with a wrong result on {self.error_rate:.0%} of the rungs; "
            f"adversarial answers got full credit for {self.undeserved:.1%} of the points that they had not earned"
        )
        return f"calibrated: {summary}" if self.is_good else f"uncalibrated, below the threshold: {summary}"


def error_rate_of(calibration: Calibration | None) -> float:
    """Return the examiner's error rate for the depth posterior, or a default if it was never measured."""
    measured = calibration.error_rate if calibration else DEFAULT_ERROR_RATE
    return min(max(measured, ERROR_RATE_MIN), ERROR_RATE_MAX)
