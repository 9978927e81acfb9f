"""Which tasks a challenge takes: by chance, by weakness or a set; pure functions of catalogue, practice and chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from interviewer.log.progress import Practice
from interviewer.session.question import TaskBrief


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


def weakest_first(tasks: Sequence[TaskBrief], practice: Practice, chance: random.Random) -> list[TaskBrief]:
    """Return the tasks: tried and not passed, then never tried, then passed, longest ago first; else by chance."""

    def rank(task: TaskBrief) -> tuple[int, float, float]:
        past = practice.tasks.get(task.id)
        if past is None:
            return 1, 0.0, chance.random()
        return (2, past.last_at, 0.0) if past.has_passed else (0, past.last_at, 0.0)

    return sorted(tasks, key=rank)


def set_tasks(
    chosen: TaskSet, tasks: Sequence[TaskBrief], practice: Practice, chance: random.Random
) -> list[TaskBrief]:
    """Return the tasks of a set that fit into its minutes, weakest first; at least one, if there is any."""
    found: list[TaskBrief] = []
    left = chosen.minutes
    for task in weakest_first([one for one in tasks if chosen.holds(one)], practice, chance):
        if task.minutes <= left or not found:
            found.append(task)
            left -= task.minutes
    return found
