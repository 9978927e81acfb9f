"""Interfaces between the runner and the world: grader, front end and participants; tests pass fakes for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from graders.verdict import Report
from interviewer.chat.model import ChatModel
from interviewer.chat.spending import Cap, Payments
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.voice import Manner
from interviewer.session.move import Move


class Grader(Protocol):
    """Grade submissions, one at a time."""

    def grade(self, task: str, source: str) -> Report:
        """Return the report; blocks until it is there. Raises: GradingError if grading itself failed."""
        ...

    def prepare(self, task: str) -> None:
        """Prepare for a submission of this task; returns immediately and never fails."""
        ...

    def cancel(self) -> None:
        """Cancel the running `grade`, which then raises GradingError."""
        ...


class Frontend(Protocol):
    """Show the session to the candidate. Called from the thread that calls `run_until_input`."""

    def begin_message(self, move: Move) -> None:
        """Start a message of the interviewer."""
        ...

    def stream_text(self, text: str) -> None:
        """Show the next piece of the message."""
        ...

    def end_message(self) -> None:
        """Finish the message."""
        ...

    def show_busy(self, what: str) -> None:
        """Show what the candidate is waiting for; "" when the wait is over."""
        ...

    def show_model_wait(self, seconds: float) -> None:
        """Show a countdown while the language model's rate limit applies; 0 seconds when it is over."""
        ...

    def notice(self, text: str) -> None:
        """Show a message about the app itself, such as a fallback or an internal error."""
        ...


@dataclass(frozen=True)
class Participants:
    """Hold who judges, who words the questions, the spending cap, and what is already paid for.

    Without a `voice`, the bank's wording is used unchanged.
    """

    examiner: Examiner
    offline: Examiner
    voice: ChatModel | None = None
    manner: Manner = field(default_factory=Manner)
    cap: Cap = field(default_factory=Cap)
    paid: Payments = field(default_factory=Payments)
