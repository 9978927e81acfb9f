"""What a session will hold and how long each part may take; the choice is a pure function of bank, wishes and seed."""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from interviewer.session.question import Question, TaskBrief

Thing = TypeVar("Thing", Question, TaskBrief)
INFRASTRUCTURE_AREAS = frozenset(
    {"rl_systems", "rollout_inference", "parallelism_memory", "numerics", "moe", "frameworks", "system_design"}
)
INFRASTRUCTURE_TASKS = frozenset(
    {"data", "distributed", "memory", "moe", "numerics", "parallelism", "scheduling", "serving"}
)
# Which world comes at each place, over and over; real interviews do not keep them apart.
ROLES = {"algorithm": "AAIA", "infrastructure": "IIAI", "full_stack": "AI"}
LEVELS = {"new_grad": (1, 3), "senior": (2, 4), "staff": (3, 5)}
MET_WEIGHT = 0.15
RUN_MAX = 2
QUESTION_MINUTES = 10.0
TASK_MINUTES_MIN = 15.0
MEMORY_TOPIC = "memory"


def by_level(things: Sequence[Thing], level: str) -> list[Thing]:
    """Return what fits a level of seniority; all, where nothing does or none is wanted."""
    low, high = LEVELS.get(level, (0, 5))
    return [item for item in things if low <= item.level <= high] or list(things)


def shuffled(things: Sequence[Thing], met: Sequence[str], chance: random.Random) -> list[Thing]:
    """Return things in a random order in which what was met lately tends to come late."""
    # Exponential clocks: each place is drawn with odds in proportion to the weights of what is left.
    late = {item.id: chance.expovariate(MET_WEIGHT if item.id in met else 1.0) for item in things}
    return sorted(things, key=lambda item: late[item.id])


def mixed(pool: Sequence[Question], role: str, chance: random.Random) -> list[Question]:
    """Return the pool with its worlds in the role's rhythm, no area three times running where others are left."""
    worlds = {
        "A": [question for question in pool if question.area not in INFRASTRUCTURE_AREAS],
        "I": [question for question in pool if question.area in INFRASTRUCTURE_AREAS],
    }
    rhythm = ROLES[role] if role else chance.choice(["AI", "IA"])
    ordered: list[Question] = []
    while any(worlds.values()):
        wanted = worlds[rhythm[len(ordered) % len(rhythm)]]
        world = wanted or next(questions for questions in worlds.values() if questions)
        ordered.append(world.pop(_place(world, ordered)))
    return ordered


def drawn_task(pool: Sequence[TaskBrief], role: str, met: Sequence[str], chance: random.Random) -> TaskBrief:
    """Return a coding task, of the role's first world where the pool has one. Assumes: the pool is not empty."""
    ordered = shuffled(pool, met, chance)
    world = ROLES[role][0] if role and role != "full_stack" else ""
    fitting = [task for task in ordered if (task.area in INFRASTRUCTURE_TASKS) == (world == "I")] if world else ordered
    return (fitting or ordered)[0]


def _place(world: Sequence[Question], before: Sequence[Question]) -> int:
    last = {question.area for question in before[-RUN_MAX:]}
    if len(before) < RUN_MAX or len(last) > 1:
        return 0
    return next((place for place, question in enumerate(world) if question.area not in last), 0)


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
    topics = {topic for item in (*questions, *tasks) for topic in item.topics}
    for wanted in wishes.focus:
        _must_know("topic", wanted, sorted(topics))
    wanted_topics = set(wishes.focus) or topics
    focused = [question for question in questions if wanted_topics & set(question.topics)]
    if not focused:
        raise PlanError(f"no question has the topic {', '.join(wishes.focus)}: interviewer questions lists them")
    pool = mixed(shuffled(by_level(focused, wishes.level), wishes.met, chance), wishes.role, chance)
    task_pool = by_level([task for task in tasks if wanted_topics & set(task.topics)] or tasks, wishes.level)
    memory = shuffled([question for question in questions if MEMORY_TOPIC in question.topics], wishes.met, chance)
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
    more = [question for question in pool if question.id not in taken][: max(0, int(left // QUESTION_MINUTES))]
    return opening + [Part("question", question.id, QUESTION_MINUTES) for question in more] + last


def _must_know(what: str, wanted: str, known: Sequence[str]) -> None:
    if wanted in known:
        return
    near = difflib.get_close_matches(wanted, known, n=1)
    raise PlanError(f"unknown {what} {wanted}" + (f"; did you mean {near[0]}?" if near else ""))
