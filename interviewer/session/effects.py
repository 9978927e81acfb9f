"""What the driver must do next, in the imperative; derived from the state, so that a resumed session asks again."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.session.move import Move
from interviewer.session.state import Awaiting, Session


@dataclass(frozen=True)
class Say:
    """Say this move to the candidate, in the bank's words or a model's."""

    move: Move


@dataclass(frozen=True)
class Assess:
    """Judge this answer to what was asked."""

    question: str
    asked: str
    answer: str


@dataclass(frozen=True)
class Grade:
    """Grade this submission."""

    task: str
    source: str


@dataclass(frozen=True)
class AskSelfMarks:
    """Show the points of a question and let the candidate mark which ones they covered."""

    question: str


Effect = Say | Assess | Grade | AskSelfMarks


def pending_effect(session: Session) -> Effect | None:
    """Return what must be done before the candidate or the clock can move the session on, or None."""
    if session.awaiting is Awaiting.WORDS and session.move is not None:
        return Say(session.move)
    if session.awaiting is Awaiting.ASSESSMENT and session.answered is not None:
        return Assess(session.drill.question, session.answered.words, session.last_said(by_interviewer=False))
    if session.awaiting is Awaiting.VERDICT:
        return Grade(session.work.task, session.work.attempts[-1].source)
    if session.awaiting is Awaiting.SELF_MARKS:
        return AskSelfMarks(session.drill.question)
    return None
