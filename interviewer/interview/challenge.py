"""A timed challenge: a session of coding tasks alone whose clock can pause and stops at the limit, never the work.

Time is up when the clock has stopped; what is submitted then is graded, and marked as untimed for good.
"""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.interview.clock import SessionClock
from interviewer.interview.ports import Grader, Participants
from interviewer.interview.runner import Interview
from interviewer.log.progress import Progress
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.engine import step
from interviewer.session.phrases import counted
from interviewer.session.plan import Part, Plan
from interviewer.session.question import TaskBrief
from interviewer.session.scoring import LIMIT_MARGIN_SECONDS, seconds_taken
from interviewer.session.state import Session, TaskWork
from tasks.task import Task

_FENCE = re.compile(r"`{3,}")


class Challenge(Interview):
    """Run one challenge. The driver is the interview's, so log, drafts and resuming are the same."""

    def __init__(
        self, log: PracticeLog, session: Session, participants: Participants, grader: Grader, clock: SessionClock
    ) -> None:
        super().__init__(log, session, participants, grader, clock)
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
        """Record a submission; `run_until_input` then grades it."""
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


def result_lines(challenge: Challenge, practice: Progress | None) -> list[str]:
    """Return a line for each task: what came of it, and its time against the candidate's own best before."""
    return [
        f"{work.task.replace('_', ' ')}: {_result(challenge.session, work, practice)}"
        for work in challenge.session.works
    ]


def _result(session: Session, work: TaskWork, practice: Progress | None) -> str:
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


@dataclass(frozen=True)
class TaskSet:
    """Name several tasks for one sitting: those of these topics or kinds that fit into the minutes."""

    id: str
    title: str
    minutes: float
    topics: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def holds(self, task: TaskBrief) -> bool:
        """Return whether a task belongs to the set."""
        # A bug in a loss is a bug hunt: the sets share no task.
        return task.kind in self.kinds if self.kinds else task.kind != "repair" and bool(self.topics & set(task.topics))


SETS = (
    TaskSet("losses", "Loss functions in 60 minutes", 60.0, topics=frozenset({"loss"})),
    TaskSet("bugs", "Bug-hunt hour", 60.0, kinds=frozenset({"repair"})),
    TaskSet("memory", "Memory by hand", 60.0, topics=frozenset({"memory"})),
)


def weakest_first(tasks: Sequence[TaskBrief], practice: Progress, chance: random.Random) -> list[TaskBrief]:
    """Return the tasks: tried and not passed, then never tried, then passed, longest ago first; else by chance."""

    def rank(task: TaskBrief) -> tuple[int, float, float]:
        past = practice.tasks.get(task.id)
        if past is None:
            return 1, 0.0, chance.random()
        return (2, past.last_at, 0.0) if past.has_passed else (0, past.last_at, 0.0)

    return sorted(tasks, key=rank)


def set_tasks(
    chosen: TaskSet, tasks: Sequence[TaskBrief], practice: Progress, chance: random.Random
) -> list[TaskBrief]:
    """Return the tasks of a set that fit into its minutes, weakest first; at least one, if there is any."""
    found: list[TaskBrief] = []
    left = chosen.minutes
    for task in weakest_first([one for one in tasks if chosen.holds(one)], practice, chance):
        if task.minutes <= left or not found:
            found.append(task)
            left -= task.minutes
    return found


def is_open(session: Session, task: str) -> bool:
    """Return whether the solution of a task may be shown: it was passed or given up."""
    return any(work.is_over for work in session.works if work.task == task)


def solution_text(task: Task, work: TaskWork) -> str:
    """Return reference, comparison and explanation as Markdown."""
    own = work.attempts[-1].source if work.attempts else ""
    lines = ["## Reference", "", fenced(task.reference, "python"), ""]
    if own:
        lines += ["## From your last submission to the reference", ""]
        lines += [fenced(difference(own, task.reference, "yours", "reference"), "diff"), ""]
    lines += ["## What goes wrong here", ""]
    lines += [f"- {' '.join(one.wrong.split())} Ask yourself: {' '.join(one.ask.split())}" for one in task.mistakes]
    lines += ["", "## Hints", "", *(f"{number}. {hint.strip()}" for number, hint in enumerate(task.hints, 1))]
    return "\n".join([*lines, "", f"Source: {'; '.join(task.source)}", ""])


def difference(before: str, after: str, before_name: str, after_name: str) -> str:
    """Return a unified diff of two programs; says so when they are the same."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), before_name, after_name, lineterm="", n=3)
    return "\n".join(diff) or "The two are the same."


def fenced(code: str, language: str) -> str:
    """Return code as a Markdown block that nothing inside can end."""
    longest = max((len(found) for found in _FENCE.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
