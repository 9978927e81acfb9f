"""The interviewer's next move. The policy chooses every move; a model may only reword it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MoveKind(StrEnum):
    """The kinds of moves."""

    NEXT = "next"
    DEEPER = "deeper"
    PROBE = "probe"
    CHALLENGE = "challenge"
    DOUBT = "doubt"
    CHECK = "check"
    CLARIFY = "clarify"
    EXPLAIN = "explain"
    IMPROVISE = "improvise"
    OBSERVER = "observer"
    HINT = "hint"
    TASK = "task"
    VERDICT = "verdict"
    OFFER = "offer"
    FINISH = "finish"


@dataclass(frozen=True)
class Move:
    """One move. `lead` (a quote or a verdict) is said first and verbatim; a model may reword `words`.

    `rung` is the rung that the answer will count toward (0 for the opening). `target` is the id of the point,
    misconception or task that the move is about; for a check, it is the argument of `Question.drawn_check`. `weight` is
    the answer's weight, which is 1 if the candidate got no help and may be lower after help.
    """

    kind: MoveKind
    words: str
    lead: str = ""
    rung: int = 0
    target: str = ""
    weight: float = 1.0

    @property
    def text(self) -> str:
        """Return the lead-in and the wording, which the interviewer says verbatim unless a model rewords them."""
        return f"{self.lead}\n\n{self.words}" if self.lead and self.words else self.lead or self.words
