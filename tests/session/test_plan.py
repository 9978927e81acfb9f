"""Plans are reproducible, fit their minutes, mix both areas, and reject unknown names with the nearest known one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from interviewer import config
from interviewer.session.plan import (
    CODING,
    CODING_MINUTES_MIN,
    INFRASTRUCTURE_AREAS,
    LEVELS,
    ROLES,
    TWO_TASKS_MINUTES,
    PlanError,
    PlanRequest,
    draw_task,
    filter_by_level,
    interleave_areas,
    make_plan,
    shuffle_recent_last,
)
from tests.session.build import brief, question

BANK = tuple(
    replace(
        question("memory_by_hand" if n == 1 else f"q{n}"),
        area="rl_systems" if n % 2 else "trust_regions",
        topics=("gpu budget",) if n == 1 else ("ppo",),
    )
    for n in range(8)
)
TASKS = (brief("ppo_clip_loss"), brief("gae"))
AREAS = ("rl_systems", "numerics", "trust_regions", "value_methods")
LARGE = tuple(replace(question(f"l{n}"), area=AREAS[n % 4], level=1 + n % 5) for n in range(40))


@pytest.mark.expectation(number=15)
def test_the_same_seed_gives_the_same_plan_and_another_one_differs_somewhere() -> None:
    plans = {seed: make_plan(BANK, TASKS, PlanRequest(60), seed) for seed in range(10)}
    assert plans[3] == make_plan(BANK, TASKS, PlanRequest(60), 3)
    assert len({plan.parts for plan in plans.values()}) > 3


def test_parts_fill_the_minutes_and_none_comes_twice() -> None:
    for minutes in (10, 20, 45, 60, 90):
        for seed in range(20):
            plan = make_plan(BANK, TASKS, PlanRequest(minutes), seed)
            assert sum(part.minutes for part in plan.parts) == pytest.approx(minutes)
            assert len({part.id for part in plan.parts}) == len(plan.parts)


def test_an_hour_has_two_tasks_even_if_only_one_is_on_the_topic() -> None:
    tasks = (replace(brief("gae"), topics=("ppo",)), *(replace(brief(f"t{n}"), topics=("other",)) for n in range(3)))
    for seed in range(20):
        plan = make_plan(BANK, tasks, PlanRequest(60, focus=("ppo",)), seed)
        chosen = [part.id for part in plan.parts if part.kind == "task"]
        assert len(chosen) == 2
        assert "gae" in chosen


def test_an_hour_holds_both_worlds_two_tasks_and_memory_arithmetic() -> None:
    for seed in range(20):
        plan = make_plan(BANK, TASKS, PlanRequest(60), seed)
        areas = {question.area for question in BANK if question.id in {part.id for part in plan.parts}}
        assert areas == {"rl_systems", "trust_regions"}
        assert {part.id for part in plan.parts if part.kind == "task"} == {"ppo_clip_loss", "gae"}
        assert "memory_by_hand" in {part.id for part in plan.parts}
    for seed in range(20):
        drilled = make_plan(BANK, TASKS, PlanRequest(20, focus=("ppo",)), seed)
        assert "memory_by_hand" not in {part.id for part in drilled.parts}
    shorter = make_plan(BANK, TASKS, PlanRequest(45), 1)
    assert [part.kind for part in shorter.parts].count("task") == 1


@pytest.mark.parametrize(("role", "share"), [("algorithm", 0.25), ("infrastructure", 0.75), ("full_stack", 0.5)])
def test_a_role_sets_how_much_of_each_world_comes_and_neither_is_left_out(role: str, share: float) -> None:
    ordered = interleave_areas(LARGE, role, random.Random(1))[:16]
    infrastructure_share = sum(question.area in INFRASTRUCTURE_AREAS for question in ordered) / len(ordered)
    assert infrastructure_share == pytest.approx(share)


def test_no_area_comes_three_times_running_while_there_are_others() -> None:
    for seed in range(20):
        ordered = interleave_areas(shuffle_recent_last(LARGE, (), random.Random(seed)), "", random.Random(seed))
        areas = [question.area for question in ordered][:20]
        assert not [place for place in range(len(areas) - 2) if len(set(areas[place : place + 3])) == 1]


def test_a_level_keeps_to_its_questions_and_gives_way_where_there_are_none() -> None:
    assert {question.level for question in filter_by_level(LARGE, "new_grad")} == {1, 2, 3}
    assert {question.level for question in filter_by_level(LARGE, "staff")} == {3, 4, 5}
    easy = [question for question in LARGE if question.level == 1]
    assert filter_by_level(easy, "staff") == easy


def test_nothing_is_asked_again_within_the_month_while_others_are_left() -> None:
    recent = tuple(question.id for question in LARGE[:30])
    for seed in range(20):
        ordered = [question.id for question in shuffle_recent_last(LARGE, recent, random.Random(seed))]
        assert set(ordered[:10]) == {question.id for question in LARGE[30:]}
        assert ordered[10:] == list(reversed(recent))  # the one that was asked longest ago comes first
    firsts = {shuffle_recent_last(LARGE, recent, random.Random(seed))[0].id for seed in range(50)}
    assert len(firsts) == 10
    again = make_plan(BANK, TASKS, PlanRequest(20, recent=tuple(question.id for question in BANK)), 1)
    assert again.parts


def test_a_task_fits_the_role_where_one_does() -> None:
    tasks = (replace(brief("a"), area="losses"), replace(brief("b"), area="distributed"))
    for seed in range(10):
        assert draw_task(tasks, "algorithm", (), random.Random(seed)).id == "a"
        assert draw_task(tasks, "infrastructure", (), random.Random(seed)).id == "b"
    assert {draw_task(tasks, "full_stack", (), random.Random(seed)).id for seed in range(20)} == {"a", "b"}
    assert draw_task(tasks[:1], "infrastructure", (), random.Random(0)).id == "a"


SIZES = (10.0, 12.0, 15.0, 20.0, 30.0, 40.0)
SIZED = tuple(replace(brief(f"t{n}"), minutes=SIZES[n % len(SIZES)]) for n in range(24))


@pytest.mark.parametrize("coding", list(CODING))
def test_the_share_of_coding_is_met_as_closely_as_whole_tasks_allow(coding: str) -> None:
    for minutes in (45.0, 60.0, 90.0):
        for seed in range(20):
            plan = make_plan(LARGE, SIZED, PlanRequest(minutes, coding=coding), seed)
            share = sum(part.minutes for part in plan.parts if part.kind == "task") / minutes
            assert share == pytest.approx(CODING[coding], abs=0.25 if coding != "none" else 0)
            assert plan.parts[0].kind == "question"
            assert len({part.id for part in plan.parts}) == len(plan.parts)
    for minutes in (12, 15, 20):
        short = make_plan(LARGE, SIZED, PlanRequest(minutes, coding=coding), 1)
        assert ("task" in {part.kind for part in short.parts}) is (coding != "none")


def test_without_a_share_the_length_decides_the_number_of_tasks_as_the_setting_says() -> None:
    for minutes, count in ((CODING_MINUTES_MIN - 1, 0), (CODING_MINUTES_MIN, 1), (TWO_TASKS_MINUTES - 1, 1), (60, 2)):
        for seed in range(20):
            plan = make_plan(LARGE, SIZED, PlanRequest(minutes), seed)
            assert [part.kind for part in plan.parts].count("task") == count
    short, long = f"{CODING_MINUTES_MIN:g}", f"{TWO_TASKS_MINUTES:g}"
    told = f"auto: no coding task if under {short} minutes, one if under {long}, otherwise two."
    assert config.ABOUT["coding"].endswith(told)


def test_the_settings_offer_the_plans_names_and_any_or_auto_is_no_wish() -> None:
    assert ("any", *ROLES) == config.ROLES
    assert ("any", *LEVELS) == config.LEVELS
    assert ("auto", *CODING) == config.CODING
    wished = make_plan(LARGE, SIZED, PlanRequest(60, role="any", level="any", coding="auto"), 5)
    assert wished == make_plan(LARGE, SIZED, PlanRequest(60), 5)


def test_a_topic_is_found_however_it_is_capitalized() -> None:
    bank = (replace(question("cache"), topics=("KV cache",)), replace(question("other"), topics=("PPO",)))
    plan = make_plan(bank, TASKS, PlanRequest(20, focus=("kv CACHE",)), 0)
    assert [part.id for part in plan.parts if part.kind == "question"] == ["cache"]


def test_named_parts_replace_the_draw() -> None:
    plan = make_plan(BANK, TASKS, PlanRequest(30, questions=("q2", "q3"), tasks=("gae",)), 0)
    assert [part.id for part in plan.parts] == ["q2", "q3", "gae"]


@pytest.mark.parametrize(
    ("plan_request", "expected"),
    [
        (PlanRequest(questions=("q22",)), "unknown question q22; did you mean q2?"),
        (PlanRequest(tasks=("gea",)), "unknown task gea; did you mean gae?"),
        (PlanRequest(focus=("pp",)), "unknown topic pp; did you mean ppo?"),
        (PlanRequest(role="pirate"), "unknown role pirate; known: algorithm, infrastructure, full_stack"),
        (PlanRequest(level="god"), "unknown level god; known: new_grad"),
        (PlanRequest(coding="all"), "unknown coding all; known: none, third, half, most"),
        (PlanRequest(minutes=0), "minutes: expected more than 0"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_by_name(plan_request: PlanRequest, expected: str) -> None:
    with pytest.raises(PlanError, match=expected.replace("?", r"\?")):
        make_plan(BANK, TASKS, plan_request, 0)


def test_the_first_question_is_none_of_the_hardest_unless_a_level_or_a_focus_is_chosen() -> None:
    levels = {item.id: item.level for item in LARGE}
    openings = {levels[make_plan(LARGE, (), PlanRequest(20), seed).parts[0].id] for seed in range(40)}
    assert openings == {1, 2, 3}
    chosen = {levels[make_plan(LARGE, (), PlanRequest(20, level="staff"), seed).parts[0].id] for seed in range(40)}
    assert max(chosen) > 3


def test_the_memory_question_fits_the_level() -> None:
    names = ("memory_by_hand", "verl_memory", "grpo_model_copies")
    memory = tuple(replace(question(name), level=level) for name, level in zip(names, (5, 4, 2), strict=True))
    for seed in range(20):
        plan = make_plan((*LARGE, *memory), TASKS, PlanRequest(60, level="new_grad"), seed)
        assert {part.id for part in plan.parts}.intersection(names) <= {"grpo_model_copies"}
