"""The protocol that every examiner follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from interviewer.session.assessment import Assessment
from interviewer.session.question import Question


class Examiner(Protocol):
    """Judge answers. Never decides the flow, never gives a score, never raises for what a candidate wrote.

    `version` changes with the prompt or the listening rules: what was measured under another one does not hold.
    """

    name: str

    @property
    def version(self) -> str:
        """Return the version of its prompt or matching rules."""
        ...

    def assess(self, question: Question, asked: str, answer: str, is_cancelled: Callable[[], bool] = ...) -> Assessment:
        """Return the state of every point of the question in this answer.

        `asked` is the text the candidate was answering (prompt, rung, probe): what only repeats it earns nothing.
        A failure of the examiner is an assessment with `is_graded` false and the reason, never an exception.
        """
        ...
