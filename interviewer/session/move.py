"""What the interviewer does next, chosen by policy in code; a model may word it, never choose it."""

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
    CLARIFY = "clarify"
    IMPROVISE = "improvise"
    OBSERVER = "observer"
    HINT = "hint"
    TASK = "task"
    VERDICT = "verdict"
    FINISH = "finish"


@dataclass(frozen=True)
class Move:
    """Hold one move. `lead` is said word for word first (quotes, verdicts); `words` may be reworded by a model.

    `rung` is the rung the answer to it will count for (0 is the opening), `target` the point, misconception or task
    it is about, `weight` what an answer to it counts (1, or less after help).
    """

    kind: MoveKind
    words: str
    lead: str = ""
    rung: int = 0
    target: str = ""
    weight: float = 1.0

    @property
    def text(self) -> str:
        """Return lead and words as they are said without a model."""
        return f"{self.lead}\n\n{self.words}" if self.lead and self.words else self.lead or self.words
