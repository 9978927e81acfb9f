"""The protocol that every examiner implements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from interviewer.session.assessment import Assessment
from interviewer.session.question import Question


@dataclass(frozen=True)
class Exchange:
    """An earlier question to the candidate, and the answer."""

    asked: str
    answer: str


@dataclass(frozen=True)
class Conversation:
    """Earlier exchanges about the judged question, oldest first, and the points credited for them."""

    exchanges: tuple[Exchange, ...] = ()
    credited: tuple[str, ...] = ()


NOTHING_SAID = Conversation()


class Examiner(Protocol):
    """Judges answers. An examiner never controls the flow or assigns a score, and candidate text never makes it fail.

    `version` changes with the prompt or the matching rules; results measured under a different version no longer apply.
    """

    name: str

    @property
    def version(self) -> str:
        """Return the version of the prompt or matching rules."""
        ...

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = ...,
        conversation: Conversation = ...,
    ) -> Assessment:
        """Return the state of every point of the question in this answer.

        `asked` is the text the candidate was answering (prompt, rung, probe); repeating it earns no credit.
        `conversation` only provides context for references in the answer. If the examiner fails, it returns an
        assessment with `is_graded` false and the reason; it never raises.
        """
        ...
