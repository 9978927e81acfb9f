"""A mistake is named only if its own program produces the submission's outputs on every failing case."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.diagnose import diagnose, evidence_of
from graders.grade import prepare
from graders.outcomes import Truncation, judge
from graders.plan import Setting, make_plan
from graders.reference import run_trusted
from graders.verdict import Diagnosis, Verdict, report_from_json
from tasks.load import find_task
from tasks.task import Task
from tests.graders.build import MISTAKES, REFERENCE, RING_REFERENCE, TOML, files_of_mean, files_of_ring, make_task

RAISES = REFERENCE.replace(
    "    kept =", '    if x.shape[0] > 2:\n        raise ValueError("4 rows, not 2")\n    kept ='
)


def named(task: Task, program: str, seed: int = 3) -> Diagnosis | None:
    """Return the mistake that a program is identified as; it runs on the trusted side."""
    plan, rights, _ = prepare(make_plan(task, seed))
    records = run_trusted(plan, plan.runs, program, Setting(group_seconds=5.0))
    outcomes = [judged.outcome for judged in judge(plan, rights, records, Truncation(Verdict.TIMED_OUT, "was not run"))]
    return diagnose(plan, evidence_of(plan, rights, records, outcomes))


@pytest.fixture
def raising(tmp_path: Path) -> Task:
    """Return a task with a mistake that raises an exception on four rows."""
    files = {**files_of_mean(), "mistakes/four_rows.py": RAISES}
    more = '[[mistake]]\nid = "four_rows"\nwrong = "Refuses rows."\ncaught_by = ["ragged"]\nask = "Why?"\n[[hint]]'
    return make_task(tmp_path, {**files, "task.toml": TOML.replace("[[hint]]", more)})


@pytest.fixture
def mean(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_mean())


def test_outputs_and_gradients_that_equal_a_mistakes_name_it(mean: Task) -> None:
    found = named(mean, MISTAKES["mean_of_all"].replace("kept.sum() / mask.numel()", "(kept / mask.numel()).sum()"))
    assert found is not None
    assert (found.id, found.is_exact, found.cases) == ("mean_of_all", True, ("ragged",))


# Each is right on the literal case, which has one dimension, so that it fails just the case that the mistake fails.
NOT_ON_FILE = {
    "another value": REFERENCE.replace("/ count,", "/ (count + 1 - (x.dim() + x.shape[0] == 3)),"),
    "the value of a mistake and another gradient": MISTAKES["mean_of_all"].replace(
        "kept.sum() / mask.numel()", "(x.dim() * kept.sum() - (x.dim() - 1) * kept.sum().detach()) / mask.numel()"
    ),
    "a mistake that also lets a constant learn": MISTAKES["mean_of_all"].replace("weight.detach()", "weight"),
    "the value of a mistake without a gradient": MISTAKES["mean_of_all"].replace(
        "kept.sum() / mask.numel()", "(kept.sum() if x.dim() == 1 else kept.sum().detach()) / mask.numel()"
    ),
    "the value of a mistake in another dtype": MISTAKES["mean_of_all"].replace(
        "kept.sum() / mask.numel()", "(kept.sum() if x.dim() == 1 else kept.sum().double()) / mask.numel()"
    ),
    "a mistake that also changes its input": MISTAKES["mean_of_all"].replace(
        "    count =", "    x.data.add_(x.dim() - 1)\n    count ="
    ),
}


@pytest.mark.parametrize("program", NOT_ON_FILE.values(), ids=NOT_ON_FILE)
def test_what_differs_from_the_mistake_has_no_name(mean: Task, program: str) -> None:
    assert program not in (REFERENCE, MISTAKES["mean_of_all"])
    assert named(mean, program) is None


def test_programs_that_raise_are_compared_by_type_and_message_pattern(raising: Task) -> None:
    found = named(raising, RAISES.replace("4 rows, not 2", "17 rows, not 3"))
    assert found is not None
    assert (found.id, found.is_exact) == ("four_rows", False), "no outputs were compared, so the code looks like it"
    assert named(raising, RAISES.replace("ValueError", "TypeError")) is None
    assert named(raising, RAISES.replace("4 rows, not 2", "4 columns, not 2")) is None


def named_at_last(task: Task, source: str) -> Diagnosis | None:
    """Return the diagnosis; a stall while ranks wait for each other costs the name, so it is tried three times."""
    return next(filter(None, (named(task, source) for _ in range(3))), None)


@pytest.mark.ranks
@pytest.mark.slow
def test_ranks_are_compared_by_which_of_them_wait_and_where(tmp_path: Path) -> None:
    files = files_of_ring()
    alone = RING_REFERENCE.replace("    dist.all_reduce(x)", "    if dist.get_rank() == 0:\n        dist.all_reduce(x)")
    files["mistakes/kept_local.py"] = alone
    task = make_task(tmp_path, files)
    found = named_at_last(task, "# A line more.\n" + alone)
    assert found is not None
    assert (found.id, found.is_exact) == ("kept_local", False)
    assert named(task, alone.replace("rank() == 0", "rank() == 1")) is None
    assert named(task, alone.replace("all_reduce(x)", "broadcast(x, 0)")) is None


@pytest.mark.ranks
@pytest.mark.slow
def test_calls_that_do_not_fit_together_are_compared_by_what_each_rank_calls(tmp_path: Path) -> None:
    files = files_of_ring()
    wrong = RING_REFERENCE.replace(
        "    dist.all_reduce(x)", "    dist.all_reduce(x if dist.get_rank() else x.double())"
    )
    files["mistakes/kept_local.py"] = wrong
    task = make_task(tmp_path, files)
    found = named_at_last(task, "# A line more.\n" + wrong)
    assert found is not None
    assert found.id == "kept_local"
    assert named(task, wrong.replace("x.double()", "x.half()")) is None


PPO = find_task("ppo_clip_loss")


def ppo(*changes: tuple[str, str]) -> Diagnosis | None:
    program = PPO.reference
    for old, new in changes:
        assert program.count(old) == 1
        program = program.replace(old, new)
    return named(PPO, program)


SWAPPED = ("clamp(1 - eps_low, 1 + eps_high)", "clamp(1 - eps_high, 1 + eps_low)")
EMPTY_ROWS = ("(row_tokens > 0).sum().clamp(min=1)", "row_tokens.numel()")


def test_two_mistakes_are_named_with_the_cases_that_each_explains() -> None:
    found = ppo(SWAPPED, EMPTY_ROWS)
    assert found is not None
    assert found.beside is not None
    assert {found.id: set(found.cases), found.beside.id: set(found.beside.cases)} == {
        mistake.id: set(mistake.caught_by)
        for mistake in PPO.mistakes
        if mistake.id in ("bounds_swapped", "empty_rows_counted")
    }


def test_two_mistakes_in_one_value_have_no_name() -> None:
    # Both change the loss of uneven_bounds, so that it is the loss of neither.
    assert ppo(SWAPPED, ('if reduction == "seq"', 'if reduction in ("seq", "token")')) is None


def test_a_wrong_program_that_fails_the_cases_of_a_mistake_has_no_name() -> None:
    assert ppo(("ratio.clamp(1 - eps_low, 1 + eps_high)", "ratio")) is None


def test_reports_of_older_versions_load() -> None:
    data = {
        "task": "t",
        "device": "cpu",
        "sandbox": "process",
        "isolation": "none",
        "seed": 1,
        "stdout": "",
        "seconds": {},
        "versions": {},
        "cases": [{"name": "a", "verdict": "raised", "weight": 1.0, "message": ""}],
        "mistake": {"id": "m", "wrong": "W.", "ask": "A?", "beside": {"id": "n", "wrong": "V.", "ask": "B?"}},
    }
    report = report_from_json(data)
    assert report.symptoms == ()
    assert [(mistake.id, mistake.is_exact, mistake.cases) for mistake in report.mistakes] == [
        ("m", False, ()),
        ("n", False, ()),
    ]
