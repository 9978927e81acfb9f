"""What the interviewer does next. Policy chooses every move; a model may only reword it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MoveKind(StrEnum):
    """Name a move."""

    NEXT = "next"
    DEEPER = "deeper"
    PROBE = "probe"
    CHALLENGE = "challenge"
    DOUBT = "doubt"
    CHECK = "check"
    CLARIFY = "clarify"
    IMPROVISE = "improvise"
    OBSERVER = "observer"
    HINT = "hint"
    TASK = "task"
    VERDICT = "verdict"
    FINISH = "finish"


@dataclass(frozen=True)
class Move:
    """Hold one move. `lead` (a quote, a verdict) is said first and verbatim; a model may reword `words`.

    `rung` is the rung that the answer will count for (0 is the opening). `target` is the id of the point,
    misconception or task that the move is about; of a check it is what `Question.drawn_check` takes. `weight` is the
    weight of the answer (1, or less after help).
    """

    kind: MoveKind
    words: str
    lead: str = ""
    rung: int = 0
    target: str = ""
    weight: float = 1.0

    @property
    def text(self) -> str:
        """Return the lead and the words, as said without a model."""
        return f"{self.lead}\n\n{self.words}" if self.lead and self.words else self.lead or self.words
