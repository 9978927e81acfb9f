"""What the runner must do next. Effects are derived from the state, so that a resumed session repeats them."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.session.move import Move
from interviewer.session.question import DrawnCheck
from interviewer.session.state import Awaiting, Session


@dataclass(frozen=True)
class Say:
    """Say this move to the candidate, in the words of the bank or of a model."""

    move: Move


@dataclass(frozen=True)
class Assess:
    """Judge this answer to what was asked; `check` is the check that was asked, as it was drawn."""

    question: str
    asked: str
    answer: str
    check: DrawnCheck | None = None


@dataclass(frozen=True)
class Grade:
    """Grade this submission."""

    task: str
    source: str


@dataclass(frozen=True)
class AskSelfMarks:
    """Show the points of a question and let the candidate mark the points they covered."""

    question: str


Effect = Say | Assess | Grade | AskSelfMarks


def pending_effect(session: Session) -> Effect | None:
    """Return the effect that must run before the session can continue; None if the candidate is next."""
    if session.awaiting is Awaiting.WORDS and session.move is not None:
        return Say(session.move)
    if session.awaiting is Awaiting.ASSESSMENT and session.answered is not None:
        asked = session.answered.words
        answer = session.last_said(by_interviewer=False)
        return Assess(session.judged_question().id, asked, answer, session.asked_check)
    if session.awaiting is Awaiting.VERDICT:
        return Grade(session.work.task, session.work.attempts[-1].source)
    if session.awaiting is Awaiting.SELF_MARKS:
        return AskSelfMarks(session.drill.question)
    return None
