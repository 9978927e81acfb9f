"""What the driver touches: a grader, a front, and the participants that judges and speaks; each may be a stand-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from graders.verdict import Report
from interviewer.chat.model import ChatModel
from interviewer.chat.spending import Cap, Payments
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.persona import Manner
from interviewer.session.move import Move


class Grader(Protocol):
    """Grade one submission; blocks until the verdict is there."""

    def grade(self, task: str, source: str) -> Report:
        """Return the report. Raises: GradingError when our side failed."""
        ...

    def prepare(self, task: str) -> None:
        """Take note that a submission of this task may come; returns at once, never fails."""
        ...

    def cancel(self) -> None:
        """Stop the grade that runs; it then raises GradingError."""
        ...


class Frontend(Protocol):
    """What the driver tells whoever shows the session. Called from the thread that calls `run_until_input`."""

    def words_begin(self, move: Move) -> None:
        """Take note that the interviewer begins to speak."""
        ...

    def words_come(self, text: str) -> None:
        """Show more of what is being said."""
        ...

    def words_end(self) -> None:
        """Take note that the interviewer has finished speaking."""
        ...

    def busy_with(self, what: str) -> None:
        """Show what the wait is for; "" when it is over."""
        ...

    def model_waits(self, seconds: float) -> None:
        """Count down how long the language model asks to wait; 0 when that is over."""
        ...

    def notice(self, text: str) -> None:
        """Show a remark about the app itself: a fallback, a failure of ours."""
        ...


@dataclass(frozen=True)
class Participants:
    """Hold who judges and who speaks, what a session may cost, and what it has paid for already.

    Without a `voice` the bank's own words are said.
    """

    examiner: Examiner
    offline: Examiner
    voice: ChatModel | None = None
    manner: Manner = field(default_factory=Manner)
    cap: Cap = field(default_factory=Cap)
    paid: Payments = field(default_factory=Payments)
