"""What a session will hold and how long each part may take; the choice is a pure function of bank, wishes and seed."""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from interviewer.session.draw import LEVELS, ROLES, by_level, drawn_task, mixed, shuffled
from interviewer.session.question import Question
from interviewer.session.tasks import TaskBrief

__all__ = ["Part", "Plan", "PlanError", "TaskBrief", "Wishes", "make_plan"]

QUESTION_MINUTES = 10.0
TASK_MINUTES_MIN = 15.0
MEMORY_TOPIC = "memory"


class PlanError(ValueError):
    """Say which wish cannot be met, with the nearest known name."""


@dataclass(frozen=True)
class Part:
    """Hold one part of a session and its share of the time."""

    kind: Literal["question", "task"]
    id: str
    minutes: float


@dataclass(frozen=True)
class Plan:
    """Hold the parts in order; the debrief follows the last one."""

    parts: tuple[Part, ...]
    minutes: float


@dataclass(frozen=True)
class Wishes:
    """Hold what the user asked for; named questions and tasks replace the drawn ones.

    `role` and `level` are "" for any; `met` are ids of questions and tasks that came up lately.
    """

    minutes: float = 45.0
    focus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    role: str = ""
    level: str = ""
    met: tuple[str, ...] = ()


def make_plan(questions: Sequence[Question], tasks: Sequence[TaskBrief], wishes: Wishes, seed: int) -> Plan:
    """Return a plan: the named questions and tasks, or a draw from the focus that fits the minutes.

    Raises: PlanError for an unknown question, task or topic, and for minutes that hold nothing.
    """
    if wishes.minutes <= 0:
        raise PlanError(f"minutes: expected more than 0, got {wishes.minutes:g}")
    for what, wanted, known in (("role", wishes.role, ROLES), ("level", wishes.level, LEVELS)):
        if wanted and wanted not in known:
            raise PlanError(f"unknown {what} {wanted}; known: {', '.join(known)}")
    if wishes.questions or wishes.tasks:
        parts = _named_parts(questions, tasks, wishes)
    else:
        parts = _drawn_parts(questions, tasks, wishes, random.Random(seed))
    total = sum(part.minutes for part in parts)
    scaled = tuple(replace(part, minutes=part.minutes * wishes.minutes / total) for part in parts)
    return Plan(parts=scaled, minutes=wishes.minutes)


def _named_parts(questions: Sequence[Question], tasks: Sequence[TaskBrief], wishes: Wishes) -> list[Part]:
    minutes_of = {task.id: task.minutes for task in tasks}
    known = [question.id for question in questions]
    for wanted in wishes.questions:
        _must_know("question", wanted, known)
    for wanted in wishes.tasks:
        _must_know("task", wanted, list(minutes_of))
    return [Part("question", wanted, QUESTION_MINUTES) for wanted in wishes.questions] + [
        Part("task", wanted, minutes_of[wanted]) for wanted in wishes.tasks
    ]


def _drawn_parts(
    questions: Sequence[Question], tasks: Sequence[TaskBrief], wishes: Wishes, chance: random.Random
) -> list[Part]:
    topics = {topic for one in questions for topic in one.topics} | {topic for one in tasks for topic in one.topics}
    for wanted in wishes.focus:
        _must_know("topic", wanted, sorted(topics))
    wanted_topics = set(wishes.focus) or topics
    focused = [one for one in questions if wanted_topics & set(one.topics)]
    if not focused:
        raise PlanError(f"no question has the topic {', '.join(wishes.focus)}: interviewer questions lists them")
    pool = mixed(shuffled(by_level(focused, wishes.level), wishes.met, chance), wishes.role, chance)
    task_pool = by_level([one for one in tasks if wanted_topics & set(one.topics)] or tasks, wishes.level)
    memory = shuffled([one for one in questions if MEMORY_TOPIC in one.topics], wishes.met, chance)
    opening, last = [Part("question", pool.pop(0).id, QUESTION_MINUTES)], []
    left = wishes.minutes - QUESTION_MINUTES
    if task_pool and left >= TASK_MINUTES_MIN:
        task = drawn_task(task_pool, wishes.role, wishes.met, chance)
        last.append(Part("task", task.id, task.minutes))
        left -= task.minutes
    if memory and left >= QUESTION_MINUTES / 2 and memory[0].id not in {part.id for part in opening}:
        last.append(Part("question", memory[0].id, QUESTION_MINUTES))
        left -= QUESTION_MINUTES
    taken = {part.id for part in [*opening, *last]}
    more = [one for one in pool if one.id not in taken][: max(0, int(left // QUESTION_MINUTES))]
    return opening + [Part("question", one.id, QUESTION_MINUTES) for one in more] + last


def _must_know(what: str, wanted: str, known: Sequence[str]) -> None:
    if wanted in known:
        return
    near = difflib.get_close_matches(wanted, known, n=1)
    raise PlanError(f"unknown {what} {wanted}" + (f"; did you mean {near[0]}?" if near else ""))
