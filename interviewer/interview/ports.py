"""The runner's interfaces to the rest of the app: grader, front end, participants.

Tests pass a fake for each interface.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from graders.verdict import Report
from interviewer.chat.model import ChatModel
from interviewer.chat.spending import Cap, Payments
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.matching.learned import LOAD_SECONDS, LearnedMatcher
from interviewer.examiner.voice import Manner
from interviewer.session.move import Move


class Grader(Protocol):
    """A grader that grades one submission at a time."""

    def grade(self, task: str, source: str) -> Report:
        """Grade a submission and return the report. Blocks. Raises GradingError if the grader itself failed."""
        ...

    def prepare(self, task: str) -> None:
        """Prepare for a submission to this task; returns immediately and never fails."""
        ...

    def cancel(self) -> None:
        """Cancel the running `grade` call, which then raises GradingError."""
        ...


class Frontend(Protocol):
    """The part of the app that shows the session. Methods are called from the thread that runs `run_until_input`."""

    def begin_message(self, move: Move) -> None:
        """Start a message from the interviewer."""
        ...

    def stream_text(self, text: str) -> None:
        """Show the next piece of the current message."""
        ...

    def end_message(self) -> None:
        """Finish the current message."""
        ...

    def show_busy(self, what: str) -> None:
        """Show what the candidate is waiting for; "" ends the wait."""
        ...

    def show_model_wait(self, seconds: float) -> None:
        """Show a countdown to the next attempt to call the language model; 0 seconds ends the countdown."""
        ...

    def notice(self, text: str) -> None:
        """Show a message about the app itself, such as a fallback or an internal error."""
        ...


@dataclass(frozen=True)
class Participants:
    """The examiners, the model that phrases the questions, the spending cap, and the payments so far.

    Without a `voice`, the bank's wording is used unchanged. If `has_drafts` is true, the voice drafts the likely next
    questions while the examiner judges. `matcher` is the process that the offline examiner queries.
    """

    examiner: Examiner
    offline: Examiner
    voice: ChatModel | None = None
    manner: Manner = field(default_factory=Manner)
    cap: Cap = field(default_factory=Cap)
    paid: Payments = field(default_factory=Payments)
    matcher: LearnedMatcher | None = None
    has_drafts: bool = False

    def start_matcher(self) -> None:
        """Start the matcher if the offline examiner judges; it loads while the candidate gives the first answer."""
        if self.matcher is not None and self.examiner is self.offline:
            self.matcher.start()

    def wait_for_matcher(self) -> None:
        """Wait for the matcher to load if the offline examiner judges.

        Only commands that judge an answer immediately need this method; in an interview, the matcher loads while the
        candidate types.
        """
        if self.matcher is not None and self.examiner is self.offline:
            self.matcher.wait(LOAD_SECONDS)
