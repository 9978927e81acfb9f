"""The parts of a session and the time for each; a plan is a pure function of the bank, the request and the seed."""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from interviewer.session.question import Question, TaskBrief

INFRASTRUCTURE_AREAS = frozenset(
    {"rl_systems", "rollout_inference", "parallelism_memory", "numerics", "moe", "frameworks", "system_design"}
)
INFRASTRUCTURE_TASKS = frozenset(
    {"data", "distributed", "memory", "moe", "numerics", "parallelism", "scheduling", "serving"}
)
# The repeating order of algorithm (A) and infrastructure (I) questions; real interviews mix both.
ROLES = {"algorithm": "AAIA", "infrastructure": "IIAI", "full_stack": "AI"}
LEVELS = {"new_grad": (1, 3), "senior": (2, 4), "staff": (3, 5)}
# The share of the session's minutes that is spent on coding tasks. If no preference is set, `TWO_TASKS_MINUTES` decides
# the number of tasks.
CODING = {"none": 0.0, "third": 1 / 3, "half": 1 / 2, "most": 3 / 4}
# The values that mean "no preference" in the settings and on the command line.
NO_WISH = frozenset({"any", "auto"})
RUN_MAX = 2
QUESTION_MINUTES = 10.0
# If less time than this is left after the plan, no further question is offered.
OFFER_MINUTES_MIN = 8.0
SPARE_MAX = 3
TASK_MINUTES_MIN = 15.0
# Sessions shorter than this get a coding task only if the user set the coding share.
CODING_MINUTES_MIN = QUESTION_MINUTES + TASK_MINUTES_MIN
# If the user set the coding share, even a short interview may include a short task.
TASK_MINUTES_SHORT = 8.0
TASKS_MAX = 6
# Sessions of at least this length get two coding tasks.
TWO_TASKS_MINUTES = 60.0
# Questions about GPU memory arithmetic. Nearly every interview includes some memory arithmetic.
MEMORY_QUESTIONS = frozenset({"grpo_model_copies", "memory_by_hand", "reducing_the_footprint", "verl_memory"})

# Questions that are rarely asked in interviews. Unless the user sets a focus or chooses the level "senior" or "staff",
# such questions are drawn only if all other questions were asked in the last month.
RARE_QUESTIONS = frozenset(
    {
        "contextual_bandits_for_ranking",
        "cql_and_bcq",
        "dppo_divergence_mask",
        "dqn_in_continuous_actions",
        "extensions_of_dqn",
        "markov_property_and_partial_observability",
        "maxrl_and_simko",
        "multi_task_and_meta_rl",
        "offline_rl",
        "regret_and_ab_testing",
        "rl_in_a_recommender",
        "soft_actor_critic",
        "three_trust_regions",
        "trpo_conjugate_gradient",
    }
)
RARE_LEVELS = frozenset({"senior", "staff"})
OPENING_LEVEL_MAX = 3
# Questions are sorted into three tiers by their `source_rank`. These are the last ranks of the first and second tiers.
TIERS = (15, 35)

Item = TypeVar("Item", Question, TaskBrief)


class PlanError(ValueError):
    """Part of the user's request cannot be satisfied; the error message suggests the closest known name."""


@dataclass(frozen=True)
class Part:
    """One part of a session and its share of the time."""

    kind: Literal["question", "task"]
    id: str
    minutes: float


@dataclass(frozen=True)
class Plan:
    """The parts of the session, in order; the debrief follows the last part.

    `spare` lists the ids of the questions to offer, in this order, if time is left after the last part.
    """

    parts: tuple[Part, ...]
    minutes: float
    spare: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanRequest:
    """The user's request; named questions and tasks replace the random selection.

    An empty `role`, `level` or `coding` means no preference. `recent` lists the ids of questions and tasks from the
    last month's sessions, most recent first. Recent questions are drawn only if no other questions (even rare ones)
    that match the level and the focus are left. Avoiding recent questions takes precedence over the role's mix of
    areas.
    """

    minutes: float = 45.0
    focus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    role: str = ""
    level: str = ""
    coding: str = ""
    recent: tuple[str, ...] = ()


def make_plan(questions: Sequence[Question], tasks: Sequence[TaskBrief], request: PlanRequest, seed: int) -> Plan:
    """Return a plan: the named questions and tasks, or a random draw from the focus topics that fits the time.

    A plan has spare questions whether its parts were named in the request or drawn at random. If the request names
    questions or tasks, spare questions on the same topics come first.

    Raises PlanError if a question, task, topic, role or level is unknown, if `minutes` is not positive, or if no
    question matches the focus.
    """
    if request.minutes <= 0:
        raise PlanError(f"minutes: expected more than 0, got {request.minutes:g}")
    role, level, coding = ("" if wish in NO_WISH else wish for wish in (request.role, request.level, request.coding))
    request = replace(request, role=role, level=level, coding=coding)
    for what, wanted, known in (("role", role, ROLES), ("level", level, LEVELS), ("coding", coding, CODING)):
        if wanted and wanted not in known:
            raise PlanError(f"unknown {what} {wanted}; known: {', '.join(known)}")
    if request.questions or request.tasks:
        # If the user names questions or tasks, the plan contains exactly those.
        parts = _named_parts(questions, tasks, request)
        spare = _spare_after(parts, questions, tasks, request, random.Random(seed))
    else:
        parts, spare = _drawn_parts(questions, tasks, request, random.Random(seed))
    total = sum(part.minutes for part in parts)
    scaled = tuple(replace(part, minutes=part.minutes * request.minutes / total) for part in parts)
    return Plan(parts=scaled, minutes=request.minutes, spare=spare)


def filter_by_level(items: Sequence[Item], level: str) -> list[Item]:
    """Return the items that match a seniority level; all items if the level is empty or no item matches."""
    low, high = LEVELS.get(level, (0, 5))
    return [item for item in items if low <= item.level <= high] or list(items)


def shuffle_recent_last(items: Sequence[Item], recent: Sequence[str], rng: random.Random) -> list[Item]:
    """Return the items in random order, followed by the recently asked items, least recent first."""
    fresh = [item for item in items if item.id not in recent]
    rng.shuffle(fresh)
    return fresh + sorted((item for item in items if item.id in recent), key=lambda item: -recent.index(item.id))


def most_asked_first(questions: Sequence[Question], recent: Sequence[str]) -> list[Question]:
    """Sort shuffled questions into tiers by their `source_rank`; recently asked questions stay last.

    `source_rank` is a question's best rank in the lists of questions from real interviews. Within a tier, the order
    stays random, so plans vary. The user's own questions are in the first tier.
    """

    def tier(question: Question) -> int:
        return len(TIERS) + 1 if question.id in recent else sum(question.source_rank > end for end in TIERS)

    return sorted(questions, key=tier)


def interleave_areas(pool: Sequence[Question], role: str, rng: random.Random) -> list[Question]:
    """Return the pool with its algorithm and infrastructure questions in the order set by the role.

    At most `RUN_MAX` questions in a row are from the same area, as long as other areas have questions left.
    """
    kinds = {
        "A": [question for question in pool if question.area not in INFRASTRUCTURE_AREAS],
        "I": [question for question in pool if question.area in INFRASTRUCTURE_AREAS],
    }
    pattern = ROLES[role] if role else rng.choice(["AI", "IA"])
    ordered: list[Question] = []
    while any(kinds.values()):
        wanted = kinds[pattern[len(ordered) % len(pattern)]]
        questions = wanted or next(others for others in kinds.values() if others)
        ordered.append(questions.pop(_next_index(questions, ordered)))
    return ordered


def draw_task(pool: Sequence[TaskBrief], role: str, recent: Sequence[str], rng: random.Random) -> TaskBrief:
    """Draw a random coding task from the role's primary area if the pool has one. Assumes: the task pool is not empty.

    A task from the last month is drawn only if the pool has no other task.
    """
    ordered = shuffle_recent_last(pool, recent, rng)
    ordered = [task for task in ordered if task.id not in recent] or ordered
    if not role or role == "full_stack":
        return ordered[0]
    is_infrastructure = ROLES[role][0] == "I"
    fitting = [task for task in ordered if (task.area in INFRASTRUCTURE_TASKS) == is_infrastructure]
    return (fitting or ordered)[0]


def _next_index(questions: Sequence[Question], before: Sequence[Question]) -> int:
    """Return the index of the first question that can follow `before`; 0 if there is none.

    A question can follow if no more than RUN_MAX questions in a row are then from the same area.
    """
    last = {question.area for question in before[-RUN_MAX:]}
    if len(before) < RUN_MAX or len(last) > 1:
        return 0
    return next((index for index, question in enumerate(questions) if question.area not in last), 0)


def _named_parts(questions: Sequence[Question], tasks: Sequence[TaskBrief], request: PlanRequest) -> list[Part]:
    minutes_of = {task.id: task.minutes for task in tasks}
    known = [question.id for question in questions]
    for wanted in request.questions:
        _require_known("question", wanted, known)
    for wanted in request.tasks:
        _require_known("task", wanted, list(minutes_of))
    return [Part("question", wanted, QUESTION_MINUTES) for wanted in request.questions] + [
        Part("task", wanted, minutes_of[wanted]) for wanted in request.tasks
    ]


def _drawn_parts(
    questions: Sequence[Question], tasks: Sequence[TaskBrief], request: PlanRequest, rng: random.Random
) -> tuple[list[Part], tuple[str, ...]]:
    """Return the randomly drawn parts, and the ids of the questions that would come next."""
    topics = {topic for question in questions for topic in question.topics}.union(*(task.topics for task in tasks))
    spelled = {topic.casefold(): topic for topic in topics}
    for wanted in request.focus:
        _require_known("topic", wanted.casefold(), sorted(spelled))
    wanted_topics = {spelled[wanted.casefold()] for wanted in request.focus} or topics
    focused = [question for question in questions if wanted_topics & set(question.topics)]
    if not focused:
        raise PlanError(f"no question has the topic {', '.join(request.focus)}; interviewer questions lists the topics")
    has_two_tasks = request.minutes >= TWO_TASKS_MINUTES
    # Two tasks leave little time for questions. Memory arithmetic counts as infrastructure, so balance it with an
    # algorithm question.
    role = request.role or ("full_stack" if has_two_tasks else "")
    pool = _in_asking_order(focused, replace(request, role=role), rng)
    focused_tasks = [task for task in tasks if wanted_topics & set(task.topics)]
    task_pool = filter_by_level(focused_tasks or tasks, request.level)
    memory_questions = [question for question in questions if question.id in MEMORY_QUESTIONS and not request.focus]
    memory = shuffle_recent_last(filter_by_level(memory_questions, request.level), request.recent, rng)
    if any(question.id not in request.recent for question in pool):
        memory = [question for question in memory if question.id not in request.recent]
    opening = [Part("question", pool.pop(_place_of_opening(pool, request)).id, QUESTION_MINUTES)]
    last: list[Part] = []
    minutes_left = request.minutes - QUESTION_MINUTES
    for _ in range(TASKS_MAX if request.coding else 2 if has_two_tasks else 1):
        left = [task for task in task_pool if task.id not in {part.id for part in last}]
        if last and not left:
            # The only task for this focus is already in the plan.
            left = [task for task in filter_by_level(tasks, request.level) if task.id not in {part.id for part in last}]
        if request.coding:
            left = _tasks_within(left, CODING[request.coding] * request.minutes, last)
        elif has_two_tasks and not last:
            left = [task for task in left if task.minutes <= minutes_left - TASK_MINUTES_MIN] or left
        is_promised = bool(request.coding) and not last  # this task is planned regardless of the session's length
        if left and (is_promised or minutes_left >= (TASK_MINUTES_SHORT if request.coding else TASK_MINUTES_MIN)):
            task = draw_task(left, request.role, request.recent, rng)
            last.append(Part("task", task.id, task.minutes))
            minutes_left -= task.minutes
    if memory and minutes_left >= QUESTION_MINUTES / 2 and memory[0].id not in {part.id for part in opening}:
        last.append(Part("question", memory[0].id, QUESTION_MINUTES))
        minutes_left -= QUESTION_MINUTES
    taken = {part.id for part in [*opening, *last]}
    others = [question.id for question in pool if question.id not in taken]
    count = max(0, int(minutes_left // QUESTION_MINUTES))
    parts = opening + [Part("question", name, QUESTION_MINUTES) for name in others[:count]] + last
    return parts, tuple(others[count : count + SPARE_MAX])


def _place_of_opening(pool: Sequence[Question], request: PlanRequest) -> int:
    """Return the index of the first question to ask; without a level or a focus, the hardest questions are excluded."""
    if request.level or request.focus:
        return 0
    later = {*request.recent, *_rare_questions(request)}
    fresh = [place for place, question in enumerate(pool) if question.id not in later]
    return next((place for place in fresh if pool[place].level <= OPENING_LEVEL_MAX), 0)


def _in_asking_order(questions: Sequence[Question], request: PlanRequest, rng: random.Random) -> list[Question]:
    """Return the questions that fit the request, in the order in which to ask them.

    Questions that were not asked in the last month come first: common questions, and then rare questions. Questions
    from the last month come last. This order takes precedence over the role's mix of areas.
    """
    fitting = filter_by_level(questions, request.level)
    shuffled = most_asked_first(shuffle_recent_last(fitting, request.recent, rng), request.recent)
    groups: dict[int, list[Question]] = {}
    for question in shuffled:
        groups.setdefault(_group(question, request), []).append(question)
    return [question for group in sorted(groups) for question in interleave_areas(groups[group], request.role, rng)]


def _rare_questions(request: PlanRequest) -> frozenset[str]:
    """Return the ids of rarely asked questions; empty if the request has a focus or its level is in RARE_LEVELS."""
    return frozenset() if request.focus or request.level in RARE_LEVELS else RARE_QUESTIONS


def _group(question: Question, request: PlanRequest) -> int:
    """Return 0 for a new question (1 if it is rare), and 2 for a question from the last month (3 if it is rare)."""
    return 2 * (question.id in request.recent) + (question.id in _rare_questions(request))


def _spare_after(
    parts: Sequence[Part],
    questions: Sequence[Question],
    tasks: Sequence[TaskBrief],
    request: PlanRequest,
    rng: random.Random,
) -> tuple[str, ...]:
    """Return the ids of the questions to offer after the named parts, with questions on the same topics first.

    Rare questions and questions from the last month still come last.
    """
    named = {part.id for part in parts}
    topics = {topic for question in questions if question.id in named for topic in question.topics}
    topics |= {topic for task in tasks if task.id in named for topic in task.topics}
    ordered = _in_asking_order([question for question in questions if question.id not in named], request, rng)

    def rank(question: Question) -> tuple[int, bool]:
        return _group(question, request), topics.isdisjoint(question.topics)

    return tuple(question.id for question in sorted(ordered, key=rank)[:SPARE_MAX])


def _tasks_within(tasks: Sequence[TaskBrief], minutes: float, drawn: Sequence[Part]) -> list[TaskBrief]:
    """Return the tasks that still fit in these minutes, given the tasks already drawn.

    If no task fits and none was drawn, return the shortest task.
    """
    left = minutes - sum(part.minutes for part in drawn)
    if not minutes:
        return []
    # Tasks cannot be split, so the total may exceed the target by half of the minimum task length.
    fitting = [task for task in tasks if task.minutes <= left + TASK_MINUTES_MIN / 2]
    return fitting or (sorted(tasks, key=lambda task: task.minutes)[:1] if not drawn else [])


def _require_known(what: str, wanted: str, known: Sequence[str]) -> None:
    if wanted in known:
        return
    near = difflib.get_close_matches(wanted, known, n=1)
    raise PlanError(f"unknown {what} {wanted}" + (f"; did you mean {near[0]}?" if near else ""))
