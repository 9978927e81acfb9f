"""What a session will hold and how long each part may take; the choice is a pure function of bank, wishes and seed."""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from interviewer.session.question import Question

QUESTION_MINUTES = 10.0
TASK_MINUTES_MIN = 15.0
MEMORY_TOPIC = "memory"
INFRASTRUCTURE_AREAS = frozenset({"rl_systems", "parallelism_memory", "numerics", "frameworks", "rollout", "moe"})


class PlanError(ValueError):
    """Say which wish cannot be met, with the nearest known name."""


@dataclass(frozen=True)
class TaskBrief:
    """Hold what an interview needs of a coding task; the grader keeps the rest to itself."""

    id: str
    title: str
    kind: str
    minutes: float
    topics: tuple[str, ...]
    statement: str
    starter: str
    hints: tuple[str, ...]


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
    """Hold what the user asked for; named questions and tasks replace the drawn ones."""

    minutes: float = 45.0
    focus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


def make_plan(questions: Sequence[Question], tasks: Sequence[TaskBrief], wishes: Wishes, seed: int) -> Plan:
    """Return a plan: the named questions and tasks, or a draw from the focus that fits the minutes.

    Raises: PlanError for an unknown question, task or topic, and for minutes that hold nothing.
    """
    if wishes.minutes <= 0:
        raise PlanError(f"minutes: expected more than 0, got {wishes.minutes:g}")
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
    pool = _both_worlds([one for one in questions if wanted_topics & set(one.topics)], chance)
    task_pool = [one for one in tasks if wanted_topics & set(one.topics)] or list(tasks)
    memory = [one for one in questions if MEMORY_TOPIC in one.topics]
    if not pool:
        raise PlanError(f"no question has the topic {', '.join(wishes.focus)}: interviewer questions lists them")
    opening, last = [Part("question", pool.pop(0).id, QUESTION_MINUTES)], []
    left = wishes.minutes - QUESTION_MINUTES
    if task_pool and left >= TASK_MINUTES_MIN:
        task = chance.choice(task_pool)
        last.append(Part("task", task.id, task.minutes))
        left -= task.minutes
    if memory and left >= QUESTION_MINUTES / 2:
        drawn = chance.choice(memory)
        if drawn.id not in {part.id for part in opening}:
            last.append(Part("question", drawn.id, QUESTION_MINUTES))
            left -= QUESTION_MINUTES
    taken = {part.id for part in [*opening, *last]}
    more = [one for one in pool if one.id not in taken][: max(0, int(left // QUESTION_MINUTES))]
    return opening + [Part("question", one.id, QUESTION_MINUTES) for one in more] + last


def _both_worlds(pool: Sequence[Question], chance: random.Random) -> list[Question]:
    """Return the pool shuffled, algorithm and infrastructure in turn: real interviews do not keep them apart."""
    worlds: list[list[Question]] = [[], []]
    for question in pool:
        worlds[question.area in INFRASTRUCTURE_AREAS].append(question)
    for world in worlds:
        chance.shuffle(world)
    chance.shuffle(worlds)
    ordered: list[Question] = []
    while any(worlds):
        ordered.extend(world.pop() for world in worlds if world)
    return ordered


def _must_know(what: str, wanted: str, known: Sequence[str]) -> None:
    if wanted in known:
        return
    near = difflib.get_close_matches(wanted, known, n=1)
    hint = (
        f"; did you mean {near[0]}?"
        if near
        else f"; interviewer {'tasks' if what == 'task' else 'questions'} lists them"
    )
    raise PlanError(f"unknown {what} {wanted}{hint}")
