"""How answers were typed: facts that stand beside the results and are never part of them."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass

from interviewer.session.state import Session

_HEDGE = re.compile(
    r"\b(?:i think|i guess|i believe|maybe|perhaps|probably|kind of|sort of|possibly|not sure)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Behaviour:
    """Hold what was counted over all answers to questions: medians per answer, and hedges per 100 words."""

    answers: int
    seconds: float
    words: float
    numbers: float
    hedges: float

    def __str__(self) -> str:
        """Return the facts in one sentence."""
        return (
            f"{self.answers} answers; in the median {self.seconds:.0f} s from question to answer, "
            f"{self.words:.0f} words, {self.numbers:.0f} numbers; {self.hedges:.1f} hedges (I think, maybe, …) "
            "for each 100 words."
        )


def behaviour_of(session: Session) -> Behaviour | None:
    """Return how the answers to questions were typed, or None when there are none."""
    questions = {place for place, part in enumerate(session.plan.parts) if part.kind == "question"}
    waits, texts = [], []
    asked_at = None
    for turn in session.transcript:
        if turn.is_interviewer:
            asked_at = turn.at
        elif turn.part in questions and asked_at is not None:
            waits.append(turn.at - asked_at)
            texts.append(turn.text)
    if not texts:
        return None
    words = [len(text.split()) for text in texts]
    return Behaviour(
        answers=len(texts),
        seconds=statistics.median(waits),
        words=statistics.median(words),
        numbers=statistics.median(len(_NUMBER.findall(text)) for text in texts),
        hedges=100 * sum(len(_HEDGE.findall(text)) for text in texts) / max(1, sum(words)),
    )
