"""Browse and drill find what people type, best match first; by default, the most frequently asked items come first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from interviewer.bank.load import load_questions
from interviewer.bank.topics import AREA_NAMES
from interviewer.session.plan import RARE_QUESTIONS, TIERS, PlanRequest, filter_by_level, make_plan
from interviewer.tui.screens.browse import _listing_order, _question_row, _task_row, topic_rows
from interviewer.tui.screens.pick import Pickable, find_rows
from tasks.load import load_tasks
from tests.session.build import brief

QUESTIONS = sorted(load_questions(), key=_listing_order)
ROWS = [_question_row(question, "") for question in QUESTIONS] + [_task_row(task, "") for task in load_tasks()]
TASKS = (brief("ppo_clip_loss"), brief("gae"))


def found(wanted: str, rows: Sequence[Pickable] = ROWS) -> list[str]:
    return [row.id.partition("/")[2] for row in find_rows(rows, wanted)]


@pytest.mark.parametrize(
    ("wanted", "expected", "within"),
    [
        ("importance sampling ratio", "importance_and_rejection_sampling", 5),
        ("importance sampling ratio", "ppo_clipping", 5),
        ("importance-sampling ratios", "ppo_clipping", 5),
        ("kv cache", "kv_cache_transfer", 3),
        ("KV-Caches", "kv_cache_transfer", 3),
        ("kv_cache", "kv_cache_transfer", 3),
        ("logprob mismatch", "train_inference_logprob_mismatch", 1),
        ("ppo clipping", "ppo_clipping", 1),
        ("off policy", "on_policy_off_policy_replay", 1),
        ("why does grpo have a kl penalty", "grpo_kl_penalty", 1),
    ],
)
def test_what_people_type_is_found_near_the_top(wanted: str, expected: str, within: int) -> None:
    assert expected in found(wanted)[:within]


def test_most_of_the_words_are_enough_where_no_row_has_all() -> None:
    assert "ppo_clipping" in found("ppo clipping xyzzy")
    assert found("xyzzy") == []
    assert found("ppo xyzzy plugh") == []
    assert len(found("")) == len(ROWS)


def test_points_are_searched_and_not_shown() -> None:
    wanted = "momentum shared weights"
    assert "ppo_clipping" in found(wanted)
    row = next(row for row in ROWS if row.id == "question/ppo_clipping")
    assert "momentum" not in f"{row.title} {row.note} {row.detail} {row.preview}"


@pytest.mark.parametrize(
    ("item", "area"),
    [
        ("question/weight_sync", "RL systems"),
        ("question/dapo_four_changes", "LLM objectives"),
        ("question/ppo_clipping", "trust regions"),
        ("task/zero_learning_rate", "museum of bugs"),
    ],
)
def test_a_row_shows_the_name_of_its_area(item: str, area: str) -> None:
    row = next(row for row in ROWS if row.id == item)
    assert area in row.detail.split(" · ")
    assert not set(row.detail.split(" · ")) & {"rl systems", "llm objectives", "museum"}


def test_every_named_area_exists() -> None:
    assert set(AREA_NAMES) <= {question.area for question in QUESTIONS} | {task.area for task in load_tasks()}


def test_the_list_begins_with_the_source_lists_and_ends_with_what_is_rare() -> None:
    names = [question.id for question in QUESTIONS]
    assert set(names) >= RARE_QUESTIONS
    assert set(names[-len(RARE_QUESTIONS) :]) == RARE_QUESTIONS
    assert {"mdp_and_bellman", "why_actor_critic", "kl_cross_entropy_mle"} <= set(names[:10])


@pytest.mark.parametrize("level", ["", "new_grad"])
def test_a_plan_draws_what_is_asked_most_first_and_nothing_rare(level: str) -> None:
    rank = {question.id: question.source_rank for question in QUESTIONS}
    openings = set()
    for seed in range(40):
        plan = make_plan(QUESTIONS, TASKS, PlanRequest(45, level=level), seed)
        asked = [part.id for part in plan.parts if part.kind == "question"]
        assert not RARE_QUESTIONS & {*asked, *plan.spare}
        assert rank[asked[0]] <= TIERS[0]
        openings.add(asked[0])
    assert len(openings) > 8, "plans still differ"


def test_what_is_rare_is_asked_on_request_and_at_senior_level() -> None:
    def drawn(request: PlanRequest) -> set[str]:
        plans = [make_plan(QUESTIONS, TASKS, request, seed) for seed in range(30)]
        return {name for plan in plans for name in (*plan.spare, *(part.id for part in plan.parts))}

    assert RARE_QUESTIONS & drawn(PlanRequest(20, focus=("bandits",)))
    everything_else = tuple(question.id for question in QUESTIONS if question.id not in RARE_QUESTIONS)
    assert RARE_QUESTIONS & drawn(PlanRequest(45, level="senior", recent=everything_else))
    assert not RARE_QUESTIONS & drawn(PlanRequest(45, recent=everything_else[10:]))


@pytest.mark.parametrize("level", ["", "new_grad"])
def test_what_is_rare_is_asked_before_a_question_is_repeated(level: str) -> None:
    common = tuple(question.id for question in QUESTIONS if question.id not in RARE_QUESTIONS)
    fitting = {question.id for question in filter_by_level(QUESTIONS, level)} & RARE_QUESTIONS
    assert len(fitting) > 3
    for seed in range(20):
        plan = make_plan(QUESTIONS, TASKS, PlanRequest(30, level=level, recent=common), seed)
        assert {part.id for part in plan.parts if part.kind == "question"} <= fitting
        plan = make_plan(QUESTIONS, TASKS, PlanRequest(30, level=level, recent=(*RARE_QUESTIONS, *common)), seed)
        assert not {part.id for part in plan.parts} & RARE_QUESTIONS


@pytest.mark.parametrize(
    ("wanted", "topic"),
    [
        ("gae", "advantage estimation"),
        ("fsdp", "data parallelism"),
        ("flash attention", "GPU performance"),
        ("kv cache", "KV cache"),
        ("off-policy", "offline RL"),
    ],
)
def test_a_topic_whose_questions_are_about_the_words_comes_before_one_that_only_mentions_them(
    wanted: str, topic: str
) -> None:
    rows = topic_rows(QUESTIONS)
    assert topic in [row.id for row in rows]
    assert topic in [row.id for row in find_rows(rows, wanted)][:2]
