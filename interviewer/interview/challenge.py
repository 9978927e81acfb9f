"""A timed challenge: a session of coding tasks alone whose clock can pause and stops at the limit, never the work.

Time is up when the clock has stopped; what is submitted then is graded, and marked as untimed for good.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from interviewer.interview.clock import SessionClock
from interviewer.interview.runner import Cast, Grader, Interview
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.engine import step
from interviewer.session.phrases import counted
from interviewer.session.plan import Part, Plan
from interviewer.session.scoring import LIMIT_MARGIN_SECONDS, seconds_taken
from interviewer.session.state import Session, TaskWork

if TYPE_CHECKING:
    from interviewer.log.progress import Practice


class Challenge(Interview):
    """Run one challenge. The driver is the interview's, so log, drafts and resuming are the same."""

    def __init__(self, log: PracticeLog, session: Session, cast: Cast, grader: Grader, clock: SessionClock) -> None:
        super().__init__(log, session, cast, grader, clock)
        self._session_clock = clock
        self._submitted = _submitted(log.events(session.id))
        clock.stop_at = session.last_at + 60 * session.plan.minutes - session.elapsed_seconds - LIMIT_MARGIN_SECONDS

    @property
    def is_time_up(self) -> bool:
        """Return whether the time is used up; from then on the clock stands."""
        return self.seconds_left <= 2 * LIMIT_MARGIN_SECONDS

    @property
    def is_paused(self) -> bool:
        """Return whether the clock stands by the candidate's wish; not when there is nothing left to go on with."""
        return self._session_clock.is_paused and not self.session.is_over

    def pause(self) -> None:
        """Stop the clock."""
        self._session_clock.pause()

    def go_on(self) -> None:
        """Let the clock run again."""
        self._session_clock.go_on()

    def submit(self, source: str) -> None:
        """Record a submission; `settle` then grades it."""
        super().submit(source)
        self._submitted.append((len(self.session.works), self.session.elapsed_seconds))

    def attempt_seconds(self, work: int) -> list[float | None]:
        """Return when each submission of a task came, in seconds since it was opened; None for an untimed one."""
        limit = 60 * self.session.plan.minutes - 2 * LIMIT_MARGIN_SECONDS
        opened = self.session.works[work].opened_seconds
        return [at - opened if at < limit else None for number, at in self._submitted if number == work + 1]


def challenge_plan(tasks: Iterable[str], minutes: float) -> Plan:
    """Return a plan of these tasks; each may take all the minutes, since one chooses oneself when to leave it."""
    return Plan(tuple(Part("task", task, minutes) for task in tasks), minutes)


def _submitted(history: Iterable[events.Event]) -> list[tuple[int, float]]:
    """Return for each submission the number of its task, from 1, and the session's seconds at which it came."""
    session, found = None, []
    for event in history:
        session = step(session, event)
        if isinstance(event, events.Submitted):
            found.append((len(session.works), session.elapsed_seconds))
    return found


def result_lines(challenge: Challenge, practice: Practice | None) -> list[str]:
    """Return a line for each task: what came of it, and its time against the candidate's own best before."""
    return [
        f"{work.task.replace('_', ' ')}: {_result(challenge.session, work, practice)}"
        for work in challenge.session.works
    ]


def _result(session: Session, work: TaskWork, practice: Practice | None) -> str:
    if not work.has_passed:
        return f"✗ not passed, {counted(len(work.attempts), 'attempt')}"
    told = f"✓ passed, {counted(len(work.attempts), 'attempt')}"
    if work.hints:
        return f"{told}, {counted(work.hints, 'hint')}: no best time"
    seconds = seconds_taken(session, work)
    if seconds is None:
        return f"{told}, untimed"
    past = practice.tasks.get(work.task) if practice else None
    if past is None or past.best_seconds is None or past.best_seconds >= seconds:
        return f"{told} in {_minutes(seconds)}: your best time"
    return f"{told} in {_minutes(seconds)}; your best is {_minutes(past.best_seconds)}"


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
