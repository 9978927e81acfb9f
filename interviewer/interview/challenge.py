"""A timed challenge: its session, the sets of tasks to choose from, and the results and solutions shown after it.

The clock can be paused and stops at the limit. The candidate can continue after the limit: later submissions are graded
but not timed.
"""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.interview.ports import Grader, Participants
from interviewer.interview.runner import Interview, SessionClock
from interviewer.log.progress import Progress
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.engine import step
from interviewer.session.phrases import NOT_SUBMITTED, after_pass, pluralize
from interviewer.session.plan import Part, Plan
from interviewer.session.question import TaskBrief
from interviewer.session.scoring import LIMIT_MARGIN_SECONDS, seconds_taken
from interviewer.session.state import Session, TaskWork
from tasks.task import Task

_FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True)
class TaskSet:
    """A set of tasks for a single sitting: tasks in these areas or of these kinds that fit into the given time."""

    id: str
    title: str
    minutes: float
    areas: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def contains(self, task: TaskBrief) -> bool:
        """Return whether the set contains a task."""
        # A repair task about a loss belongs only to the bug hunt, so that no task is in two sets.
        return task.kind in self.kinds if self.kinds else task.kind != "repair" and task.area in self.areas


TASK_SETS = (
    TaskSet("losses", "Loss functions in 60 minutes", 60.0, areas=frozenset({"losses", "preference", "value"})),
    TaskSet("bugs", "Bug-hunt hour", 60.0, kinds=frozenset({"repair"})),
    TaskSet("memory", "Memory estimates by hand", 60.0, areas=frozenset({"memory"})),
)


class Challenge(Interview):
    """A challenge; it shares the interview's runner, so logging, drafts and resuming work the same way."""

    def __init__(
        self, log: PracticeLog, session: Session, participants: Participants, grader: Grader, clock: SessionClock
    ) -> None:
        super().__init__(log, session, participants, grader, clock)
        self._session_clock = clock
        self._submitted = _submitted(log.events(session.id))
        self._stop_at = session.last_at + 60 * session.plan.minutes - session.elapsed_seconds - LIMIT_MARGIN_SECONDS

    def _now(self) -> float:
        # Apply the limit after the waits are subtracted. Otherwise, the time would never reach the limit after a wait.
        return min(super()._now(), self._stop_at)

    @property
    def is_time_up(self) -> bool:
        """Return whether the time is up; from then on the clock is stopped."""
        return self.seconds_left <= 2 * LIMIT_MARGIN_SECONDS

    @property
    def is_paused(self) -> bool:
        """Return whether the candidate has paused the clock; False once the session is over."""
        return self._session_clock.is_paused and not self.session.is_over

    def pause(self) -> None:
        """Stop the clock."""
        self._session_clock.pause()

    def resume(self) -> None:
        """Resume the clock."""
        self._session_clock.resume()

    def submit(self, source: str) -> None:
        """Record a submission; `run_until_input` then grades it."""
        super().submit(source)
        self._submitted.append((len(self.session.works), self.session.elapsed_seconds))

    def attempt_seconds(self, work: int) -> list[float | None]:
        """Return each submission's time in seconds since the task was opened; None if it came after the time limit."""
        limit = 60 * self.session.plan.minutes - 2 * LIMIT_MARGIN_SECONDS
        opened = self.session.works[work].opened_seconds
        return [at - opened if at < limit else None for number, at in self._submitted if number == work + 1]


def challenge_plan(tasks: Iterable[str], minutes: float) -> Plan:
    """Return a plan of these tasks; each task gets the full time limit, because the candidate chooses when to leave."""
    return Plan(tuple(Part("task", task, minutes) for task in tasks), minutes)


def _submitted(history: Iterable[events.Event]) -> list[tuple[int, float]]:
    """Return, for each submission, the number of its task (from 1) and the session's elapsed seconds."""
    session, submissions = None, []
    for event in history:
        session = step(session, event)
        if isinstance(event, events.Submitted):
            submissions.append((len(session.works), session.elapsed_seconds))
    return submissions


def result_lines(challenge: Challenge, progress: Progress | None) -> list[str]:
    """Return one line per task: its result, and its time compared with the candidate's best time."""
    return [
        f"{challenge.session.task(work.task).title}: {_result(challenge.session, work, progress)}"
        for work in challenge.session.works
    ]


def after_pass_lines(session: Session) -> list[str]:
    """Return the follow-up question for each passed task. The candidate is not asked to answer these questions."""
    passed = [session.task(work.task) for work in session.works if work.has_passed]
    return [f"Think about: {after_pass(task)}" for task in passed]


def _result(session: Session, work: TaskWork, progress: Progress | None) -> str:
    if not work.submissions:
        return f"✗ {NOT_SUBMITTED}"
    attempts = pluralize(len(work.submissions), "attempt")
    if not work.has_passed:
        return f"✗ not passed, {attempts}"
    result = f"✓ passed, {attempts}"
    if work.hints:
        return f"{result}, {pluralize(work.hints, 'hint')}: no best time"
    seconds = seconds_taken(session, work)
    if seconds is None:
        return f"{result}, untimed"
    past = progress.tasks.get(work.task) if progress else None
    if past is None or past.best_seconds is None or past.best_seconds >= seconds:
        return f"{result} in {_minutes(seconds)}: your best time"
    return f"{result} in {_minutes(seconds)}; your best is {_minutes(past.best_seconds)}"


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def weakest_first(tasks: Sequence[TaskBrief], progress: Progress, rng: random.Random) -> list[TaskBrief]:
    """Return the tasks ordered by priority: failed, never tried (shuffled), then passed; least recent first."""

    def rank(task: TaskBrief) -> tuple[int, float, float]:
        past = progress.tasks.get(task.id)
        if past is None:
            return 1, 0.0, rng.random()
        return (2, past.last_at, 0.0) if past.has_passed else (0, past.last_at, 0.0)

    return sorted(tasks, key=rank)


def pick_set_tasks(
    task_set: TaskSet, tasks: Sequence[TaskBrief], progress: Progress, rng: random.Random
) -> list[TaskBrief]:
    """Return the tasks of a set that fit in its total time, weakest first; at least one task if the set has any."""
    picked: list[TaskBrief] = []
    minutes_left = task_set.minutes
    for task in weakest_first([task for task in tasks if task_set.contains(task)], progress, rng):
        if task.minutes <= minutes_left or not picked:
            picked.append(task)
            minutes_left -= task.minutes
    return picked


def may_show_solution(session: Session, task: str) -> bool:
    """Return whether the solution to a task may be shown: the candidate has passed or left the task."""
    return any(work.is_over for work in session.works if work.task == task)


def solution_text(task: Task, work: TaskWork) -> str:
    """Return the reference, a diff from the last submission, the known mistakes and the hints as Markdown."""
    own = work.attempts[-1].source if work.attempts else ""
    lines = ["## Reference", "", code_block(task.reference, "python"), ""]
    if own:
        lines += ["## Diff from your last submission to the reference", ""]
        lines += [code_block(unified_diff(own, task.reference, "yours", "reference"), "diff"), ""]
    lines += [
        mistakes_text(task),
        "",
        "## Hints",
        "",
        *(f"{number}. {hint.strip()}" for number, hint in enumerate(task.hints, 1)),
    ]
    return "\n".join([*lines, "", f"Source: {'; '.join(task.source)}", ""])


def mistakes_text(task: Task) -> str:
    """Return a task's known mistakes as Markdown, each with its question.

    Call this function only for tasks that were passed or left.
    """
    lines = [
        f"- {' '.join(known.wrong.split())} Ask yourself: {' '.join(known.ask.split())}" for known in task.mistakes
    ]
    return "\n".join(["## Known mistakes", "", *lines])


def unified_diff(before: str, after: str, before_name: str, after_name: str) -> str:
    """Return a unified diff of two programs, or a sentence if they are equal."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), before_name, after_name, lineterm="", n=3)
    return "\n".join(diff) or "Identical."


def code_block(code: str, language: str) -> str:
    """Return code as a fenced Markdown block. The fence is longer than any run of backticks in the code."""
    longest = max((len(backticks) for backticks in _FENCE.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
