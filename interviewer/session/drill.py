"""How far one question went: what was heard, asked and decided about it, one frozen value for each moment."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.session.assessment import Assessment, Belief, State
from interviewer.session.move import Move

# Why a question was left: by the candidate's wish.
SKIPPED = "skipped"


@dataclass(frozen=True)
class SelfMark:
    """Hold the candidate's own mark for one point."""

    point: str
    state: State


@dataclass(frozen=True)
class Appeal:
    """Hold why the candidate contests what was found for one point; it stands beside the finding, never in it."""

    point: str
    why: str


@dataclass(frozen=True)
class Credit:
    """Hold the best that was heard for one point over all answers of a question, with the words it rests on."""

    point: str
    state: State
    quote: str


@dataclass(frozen=True)
class Answer:
    """Hold one judged answer: the rung it counted for, its weight, and whether that rung held (None: not judged)."""

    asked: str
    text: str
    rung: int
    weight: float
    assessment: Assessment
    has_passed: bool | None


@dataclass(frozen=True)
class Doubt:
    """Hold one right answer that was doubted aloud, and whether the candidate stood by it (None: not judged)."""

    rung: int
    quote: str
    stood: bool | None = None


@dataclass(frozen=True)
class Drill:
    """Hold how far one question went.

    `rung` is where it stands; `failed` which rungs did not hold, `broke_at` the lowest of them once the question is
    over. `pumped`, `hints` and `halved` are the rungs at which help was given, once for each time; `is_closing` when
    the last question is one to leave on. Apart from knowledge stand `recited`, the rungs answered in the bank's own
    words, and `doubts`. `improvised` tells that a question beyond the ladder was asked, which scores nothing.
    """

    question: str
    rung: int = 0
    credits: tuple[Credit, ...] = ()
    answers: tuple[Answer, ...] = ()
    used_probes: tuple[int, ...] = ()
    exposed: tuple[str, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    pumped: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()
    recited: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    improvised: bool = False
    halved: tuple[int, ...] = ()
    is_closing: bool = False
    clarified: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()
    broke_at: int | None = None
    self_marks: tuple[SelfMark, ...] | None = None
    is_over: bool = False
    left_why: str = ""
    appeals: tuple[Appeal, ...] = ()

    def credit_of(self, point_id: str) -> Credit | None:
        """Return what was heard for a point, or None."""
        return next((credit for credit in self.credits if credit.point == point_id), None)

    def appeal_of(self, point_id: str) -> str:
        """Return why the candidate contests the finding for a point, "" when that was not done."""
        return next((appeal.why for appeal in self.appeals if appeal.point == point_id), "")


@dataclass(frozen=True)
class Decision:
    """Hold the drill after an answer and the move that follows; no move means that the question is over."""

    drill: Drill
    move: Move | None
