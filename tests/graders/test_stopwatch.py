"""A passing submission's speed is compared with the reference's on large cases, if that is meaningful."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders import stopwatch
from graders.errors import ContentBroken
from graders.grade import SandboxRun
from graders.plan import Plan, make_plan
from graders.stopwatch import BUSY, RUNS, time_submission, timed_cases
from graders.timing import Timing, has_timed_case, timing_from_json
from tasks.load import find_task, load_tasks
from tasks.task import Task
from tests.graders.build import MISTAKES, REFERENCE, ForkSandbox, files_of_mean, make_task
from tests.graders.gpu_table import RIGHT
from tests.subjects import shipped_task

TIMED = """

def timed(rng):
    x, weight = torch.randn(2, 4, 5, generator=rng)
    return Case("timed", {"x": x, "weight": weight, "mask": x > 0}, grads=("x",))
"""
GRADED = (
    *("gae", "sequence_packing", "token_logprobs", "chunked_logprobs", "fp8_block_quant", "c51_project"),
    *("dueling_head", "vtrace"),
)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    files = files_of_mean()
    return make_task(tmp_path, {**files, "cases.py": files["cases.py"] + TIMED})


def script(monkeypatch: pytest.MonkeyPatch, *runs: tuple[float, float]) -> None:
    """Run everything for real, but deliver each run's records with these delays in seconds, in turn."""
    real, waiting = stopwatch._timed_run, list(runs)

    def timed_run(plan: Plan, *given: object) -> tuple[SandboxRun, list[float]]:
        run, gaps = real(plan, *given)  # type: ignore[arg-type]
        assert len(gaps) == len(plan.runs) - 1
        whole, empty = waiting.pop(0)
        return run, [empty if place % 2 else whole for place in range(len(gaps))]

    monkeypatch.setattr(stopwatch, "_timed_run", timed_run)


def test_times_are_medians_without_the_time_of_handing_over(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, (3.0, 1.0), (5.0, 5.0), (3.0, 1.0))
    timing = time_submission(task, REFERENCE, ForkSandbox(), "cpu")
    assert timing == Timing("cpu", RUNS - 1, 4.0, 2.0)
    assert timing.ratio == 2.0
    assert timing_from_json(timing.to_json()) == timing
    assert str(timing).startswith("Speed: 2.0 times the reference's time on a larger case (4000.0 ms, reference 2000.0")
    assert "Not part of the verdict." in str(timing)


def test_a_machine_that_changes_its_pace_compares_nothing(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, (3.0, 1.0), (5.0, 5.0), (4.0, 1.0))
    timing = time_submission(task, REFERENCE, ForkSandbox(), "cpu")
    assert (timing.ratio, timing.problem) == (None, BUSY)
    assert timing.to_json()["ratio"] is None


def test_a_case_that_is_too_small_compares_nothing(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, (3.0, 1.0), (1.0, 1.0), (3.0, 1.0))
    assert "passing the inputs" in time_submission(task, REFERENCE, ForkSandbox(), "cpu").problem


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (MISTAKES["mean_of_all"], "the submission's result in the timed case is wrong"),
        (MISTAKES["not_detached"].replace("x * weight", "x.detach() * weight"), "is wrong"),
        ("def scaled_mean(x, weight, mask):\n    raise ValueError\n", "is wrong"),
        ("import os\n\n\ndef scaled_mean(x, weight, mask):\n    os._exit(0)\n", "did not finish the timed runs"),
        ("def other():\n    pass\n", "is wrong"),
    ],
)
def test_a_wrong_result_is_not_compared(task: Task, source: str, problem: str) -> None:
    timing = time_submission(task, source, ForkSandbox(), "cpu")
    assert timing.problem.endswith(problem)
    assert timing.ratio is None


def test_each_run_has_inputs_of_its_own(task: Task) -> None:
    sums = {float(case.args["x"].sum()) for case in timed_cases(task)}
    assert len(sums) == RUNS


def test_a_timed_case_that_cannot_be_drawn_is_our_failure(tmp_path: Path) -> None:
    files = files_of_mean()
    broken = make_task(tmp_path, {**files, "cases.py": files["cases.py"] + "\n\ndef timed(rng):\n    return 1 / 0\n"})
    with pytest.raises(ContentBroken, match=r"the timed case of cases\.py failed: ZeroDivisionError"):
        time_submission(broken, REFERENCE, ForkSandbox(), "cpu")


@pytest.mark.content
def test_the_tasks_where_speed_is_a_lesson_declare_a_case() -> None:
    declared = {task.id for task in load_tasks() if has_timed_case(task.cases_source)}
    assert declared == set(GRADED)


@pytest.mark.slow
@pytest.mark.content
@pytest.mark.recorded(subject_of=shipped_task)
@pytest.mark.parametrize("task_id", GRADED)
def test_a_shipped_timed_case_is_larger_than_the_graded_ones_and_has_right_results(
    task_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = find_task(task_id)
    # A harness decides how a program is called, so it could reject a right one.
    others = [path.read_text(encoding="utf-8") for path in (RIGHT / task_id).glob("*.py")] if task.harness else []
    for source in (task.reference, *others):
        with monkeypatch.context() as patch:
            script(patch, (3.0, 1.0), (5.0, 5.0), (3.0, 1.0))
            timing = time_submission(task, source, ForkSandbox(), "cpu")
        assert (timing.problem, timing.ratio) == ("", 2.0), source
    (first, *_), graded = timed_cases(task), make_plan(task, 0).cases
    assert size_of(first.args) > 20 * max(size_of(case.args) for case in graded)


def size_of(value: object) -> int:
    """Return how many numbers the arguments contain."""
    if isinstance(value, dict):
        return sum(map(size_of, value.values()))
    if isinstance(value, list):
        return sum(map(size_of, value))
    return int(getattr(value, "numel", lambda: 1)())
