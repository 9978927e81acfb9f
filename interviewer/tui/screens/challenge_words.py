"""What a challenge says before something costs, when the time is up, and at the end; every cost is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from interviewer.interview.challenge import Challenge, result_lines
from interviewer.session.state import Attempt, Session
from interviewer.tui.printable import in_words, minutes_text
from interviewer.tui.screens.dialogs import Choice

if TYPE_CHECKING:
    from interviewer.log.progress import Practice

STAY = Choice("stay", "Stay", "go on with the task")
TAKE = Choice("take", "Take the hint")
GIVE_UP = Choice("give-up", "Give up", "and see the solution")
LEAVE = Choice("leave", "Leave", "continue later")
END = Choice("end", "End it", "the last submission counts")
GO_ON = Choice("go-on", "Go on untimed", "what you submit from now on is marked so")
PAUSED = "The clock stands and the code is hidden.\nF5 or enter goes on."


def where_text(session: Session, practice: Practice | None) -> str:
    """Return which task of how many runs, with the candidate's own best time."""
    if session.current_part is None:
        return "Challenge · over"
    task = session.current_part.id
    number = f"Task {session.part + 1} of {len(session.plan.parts)} · " if len(session.plan.parts) > 1 else ""
    past = practice.tasks.get(task) if practice else None
    best = f" · your best {minutes_text(past.best_seconds)}" if past and past.best_seconds else ""
    return f"{number}{in_words(task)}{best}"


def hint_cost(taken: int) -> str:
    """Return what the next hint costs."""
    if taken:
        return "It costs no more than the first one did: this pass sets no best time and comes back sooner for review."
    return "Cost: a pass with hints sets no best time, and the task comes back sooner for review."


def time_up_text(attempts: Sequence[Attempt]) -> str:
    """Return what counts now that the time is up."""
    kept = "What is in the editor is kept."
    graded = [(number, one.report) for number, one in enumerate(attempts, 1) if one.report is not None]
    if not graded:
        return f"Nothing was graded in time. {kept}"
    number, report = graded[-1]
    return f"The last submission counts: #{number}, {in_words(report.verdict.value)}. {kept}"


def result_content(challenge: Challenge, practice: Practice | None) -> Content:
    """Return what came of each task, with the time against the candidate's own best before."""
    lines = [Content(line) for line in result_lines(challenge, practice)]
    return Content("\n").join([Content.styled("Result", "bold"), *lines])
