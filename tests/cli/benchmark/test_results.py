"""Runs on disk survive a crash, and the figures equal those computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interviewer.chat.model import Usage
from interviewer.cli.benchmark.candidate import Attempt
from interviewer.cli.benchmark.results import (
    PosedTask,
    Run,
    RunFile,
    Sample,
    area_results,
    compare,
    mistake_counts,
    pass_rate,
    posed,
    read_runs,
    result_of,
    verdict_counts,
)
from interviewer.errors import BadInput
from tasks.load import find_task

TASKS = (PosedTask("a", "losses", "1"), PosedTask("b", "losses", "2"), PosedTask("c", "memory", "3"))


def a_run(run_id: str = "r1", at: float = 1000.0, samples: int = 2) -> Run:
    return Run(run_id, at, "0.1", "openai/test", 7, samples, 1, 1.0, "process", TASKS)


def a_sample(task: str, number: int, *verdicts: str, why: str = "", cost: float | None = 0.5) -> Sample:
    attempts = tuple(Attempt("x = 1", verdict, mistakes=("m",) * (verdict == "wrong_value")) for verdict in verdicts)
    return Sample(task, number, attempts, Usage(1, 10, 20, cost), why)


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    file = RunFile.create(tmp_path / "runs", a_run())
    file.add(a_sample("a", 0, "wrong_value", "passed"))
    file.add(a_sample("b", 0, why="too many requests"))
    again = RunFile.read(file.path)
    assert (again.run, again.samples) == (file.run, file.samples)
    # Every task is sampled once before any task is repeated, and an ungraded sample still counts as missing.
    assert again.missing == [("b", 0), ("c", 0), ("a", 1), ("b", 1), ("c", 1)]
    again.add(a_sample("b", 0, "passed"))
    assert [sample.why for sample in RunFile.read(file.path).samples] == ["", ""]


def test_a_sample_that_is_tried_again_costs_all_its_tries(tmp_path: Path) -> None:
    file = RunFile.create(tmp_path, a_run())
    file.add(a_sample("a", 0, why="too many requests", cost=0.25))
    file.add(a_sample("a", 0, "passed", cost=0.5))
    for samples in (file.samples, RunFile.read(file.path).samples):
        assert [sample.is_graded for sample in samples] == [True]
        assert result_of("all", TASKS, samples).usage == Usage(2, 20, 40, 0.75)


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_line_cut_off_by_a_crash_is_taken_again_and_harms_no_other(tmp_path: Path, cut: int) -> None:
    file = RunFile.create(tmp_path, a_run())
    file.add(a_sample("a", 0, "passed"))
    file.add(a_sample("b", 0, "passed"))
    data = file.path.read_bytes()
    file.path.write_bytes(data[:-cut])
    again = RunFile.read(file.path)
    # Only the newline is missing after the shortest cut.
    assert [sample.task for sample in again.samples] == (["a", "b"] if cut == 1 else ["a"])
    again.add(a_sample("c", 0, "passed"))
    assert [sample.task for sample in RunFile.read(file.path).samples][-1] == "c"


def test_what_is_not_a_run_is_told_when_named_and_skipped_when_listed(tmp_path: Path) -> None:
    for name, text in (("old", '{"kind": "run", "format": 0}'), ("text", "hello"), ("empty", "")):
        (tmp_path / f"{name}.jsonl").write_text(text)
        with pytest.raises(BadInput, match=f"{name}.jsonl"):
            RunFile.read(tmp_path / f"{name}.jsonl")
    later, first = RunFile.create(tmp_path, a_run("r0", at=9.0)), RunFile.create(tmp_path, a_run("r9", at=1.0))
    assert [file.run for file in read_runs(tmp_path)] == [first.run, later.run]


def test_a_key_never_reaches_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "very-secret-value")
    file = RunFile.create(tmp_path, a_run())
    file.add(Sample("a", 0, (Attempt("KEY = 'very-secret-value'", "raised"),), Usage()))
    assert "very-secret" not in file.path.read_text()
    assert RunFile.read(file.path).samples[0].attempts[0].verdict == "raised"


def test_an_unwritable_folder_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="file"):
        RunFile.create(tmp_path / "file", a_run())


def test_each_task_counts_the_same_however_many_samples_it_has() -> None:
    samples = [
        a_sample("a", 0, "passed"),
        a_sample("a", 1, "wrong_value"),
        a_sample("b", 0, "wrong_value"),
        a_sample("c", 0, "passed"),
        a_sample("c", 1, why="server down"),
    ]
    rate = pass_rate(samples, lambda sample: sample.has_passed_first)
    # By hand: the fractions are 1/2, 0 and 1; their mean is 1/2, their standard deviation 1/2.
    assert rate is not None
    assert (rate.value, rate.tasks) == (0.5, 3)
    assert rate.stderr == pytest.approx(0.5 / math.sqrt(3))
    single = pass_rate(samples[:2], lambda sample: sample.has_passed_first)
    assert single is not None
    assert (str(single), single.stderr) == ("50.0%", None)
    assert pass_rate(samples[4:], lambda sample: sample.has_passed_first) is None


def test_areas_count_samples_usage_and_the_pass_after_feedback() -> None:
    samples = [
        a_sample("a", 0, "wrong_value", "passed"),
        a_sample("b", 0, "raised", "wrong_value"),
        a_sample("c", 0, why="server down", cost=None),
    ]
    losses, memory = area_results(a_run(), samples)
    assert (losses.area, losses.tasks, losses.graded, losses.ungraded) == ("losses", 2, 2, 0)
    assert losses.first is not None
    assert losses.final is not None
    assert (losses.first.value, losses.final.value) == (0.0, 0.5)
    assert losses.usage == Usage(2, 20, 40, 1.0)
    assert (memory.graded, memory.ungraded, memory.first) == (0, 1, None)
    # One unknown price makes the total unknown, not smaller.
    assert result_of("all", TASKS, samples).usage.cost_usd is None
    assert mistake_counts(samples) == {("a", "m"): 1, ("b", "m"): 1}
    assert verdict_counts(samples) == {"wrong_value": 1, "raised": 1}


def test_two_runs_are_compared_on_the_unchanged_tasks_that_both_graded(tmp_path: Path) -> None:
    this = RunFile(
        tmp_path, a_run(), [a_sample("a", 0, "passed"), a_sample("b", 0, "passed"), a_sample("c", 0, "passed")]
    )
    changed = replace(a_run("r0"), tasks=(*TASKS[:2], PosedTask("c", "memory", "before the change")))
    other = RunFile(
        tmp_path, changed, [a_sample("a", 0, "raised"), a_sample("b", 0, "passed"), a_sample("c", 0, "raised")]
    )
    compared = compare(this, other)
    assert compared is not None
    assert (compared.this.value, compared.other.value, compared.this.tasks) == (1.0, 0.5, 2)
    # By hand: the differences are 1 and 0.
    assert (compared.difference, compared.stderr) == (0.5, 0.5)
    assert compare(this, RunFile(tmp_path, changed, [a_sample("a", 0, why="down")])) is None


def test_a_task_is_the_same_only_with_the_same_prompt_cases_and_tolerance() -> None:
    task = find_task("gae")
    same = posed(replace(task, hints=("another",)))
    assert same == posed(task)
    changes: tuple[dict[str, Any], ...] = (
        {"statement": "other"},
        {"cases_source": "other"},
        {"reference": "other"},
        {"tolerance": {}},
    )
    assert posed(task) not in [posed(replace(task, **change)) for change in changes]
