"""Draws what an interview is about: both worlds mixed by role, levels by seniority, what was met lately less often."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from interviewer.session.question import Question
from interviewer.session.tasks import TaskBrief

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


def by_level(things: Sequence[Thing], level: str) -> list[Thing]:
    """Return what fits a level of seniority; all, where nothing does or none is wanted."""
    low, high = LEVELS.get(level, (0, 5))
    return [one for one in things if low <= one.level <= high] or list(things)


def shuffled(things: Sequence[Thing], met: Sequence[str], chance: random.Random) -> list[Thing]:
    """Return things in a random order in which what was met lately tends to come late."""
    # Exponential clocks: each place is drawn with odds in proportion to the weights of what is left.
    late = {one.id: chance.expovariate(MET_WEIGHT if one.id in met else 1.0) for one in things}
    return sorted(things, key=lambda one: late[one.id])


def mixed(pool: Sequence[Question], role: str, chance: random.Random) -> list[Question]:
    """Return the pool with its worlds in the role's rhythm, no area three times running where others are left."""
    worlds = {
        "A": [one for one in pool if one.area not in INFRASTRUCTURE_AREAS],
        "I": [one for one in pool if one.area in INFRASTRUCTURE_AREAS],
    }
    rhythm = ROLES[role] if role else chance.choice(["AI", "IA"])
    ordered: list[Question] = []
    while any(worlds.values()):
        wanted = worlds[rhythm[len(ordered) % len(rhythm)]]
        world = wanted or next(one for one in worlds.values() if one)
        ordered.append(world.pop(_place(world, ordered)))
    return ordered


def drawn_task(pool: Sequence[TaskBrief], role: str, met: Sequence[str], chance: random.Random) -> TaskBrief:
    """Return a coding task, of the role's first world where the pool has one. Assumes: the pool is not empty."""
    ordered = shuffled(pool, met, chance)
    world = ROLES[role][0] if role and role != "full_stack" else ""
    fitting = [one for one in ordered if (one.area in INFRASTRUCTURE_TASKS) == (world == "I")] if world else ordered
    return (fitting or ordered)[0]


def _place(world: Sequence[Question], before: Sequence[Question]) -> int:
    last = {one.area for one in before[-RUN_MAX:]}
    if len(before) < RUN_MAX or len(last) > 1:
        return 0
    return next((place for place, one in enumerate(world) if one.area not in last), 0)
