"""Work that is done before a submission is redone as soon as it is no longer valid."""

from __future__ import annotations

from pathlib import Path

from graders.grade import grade
from graders.prefetch import Prefetcher
from graders.verdict import Verdict
from tests.graders.build import REFERENCE, ForkSandbox, files_of_mean, files_of_ring, write_task

DEVICES = '["cpu", "cuda"]'


def test_a_task_is_read_again_when_a_file_of_it_changed(tmp_path: Path) -> None:
    folder, ahead = write_task(tmp_path, files_of_mean()), Prefetcher()
    task = ahead.task(str(folder))
    assert ahead.task(str(folder)) is task
    (folder / "statement.md").write_text("Another mean.", encoding="utf-8")
    assert ahead.task(str(folder)).statement == "Another mean."


def test_prepared_cases_serve_one_grade_of_their_task(tmp_path: Path) -> None:
    folder, ahead = str(write_task(tmp_path, files_of_mean())), Prefetcher()
    seeds = set()
    for _ in range(2):
        ahead.prepare(folder)
        task = ahead.task(folder)
        prepared = ahead.take(task)
        assert prepared is not None
        assert ahead.take(task) is None
        report = grade(task, REFERENCE, ForkSandbox(), prepared=prepared)
        assert (report.verdict, report.seed) == (Verdict.PASSED, prepared.plan.seed)
        seeds.add(report.seed)
    assert len(seeds) == 2


def test_nothing_prepared_is_used_for_other_files_or_another_task(tmp_path: Path) -> None:
    folder, ahead = write_task(tmp_path, files_of_mean()), Prefetcher()
    ahead.prepare(str(folder))
    (folder / "statement.md").write_text("Another mean.", encoding="utf-8")
    assert ahead.take(ahead.task(str(folder))) is None


def test_ranks_are_not_started_ahead(tmp_path: Path) -> None:
    folder, ahead = str(write_task(tmp_path, files_of_ring())), Prefetcher()
    ahead.prepare(folder)
    assert ahead.take(ahead.task(folder)) is None


def test_the_prepared_cell_is_for_the_device_of_the_submission(tmp_path: Path) -> None:
    files = files_of_mean()
    on_cpu = str(write_task(tmp_path / "cpu", files))
    on_gpu = str(write_task(tmp_path / "gpu", {**files, "task.toml": files["task.toml"].replace('["cpu"]', DEVICES)}))
    ahead = Prefetcher()
    for folder, device, expected in ((on_gpu, "cuda", "cuda"), (on_gpu, "cpu", "cpu"), (on_cpu, "cuda", "cpu")):
        job = ahead.prepare(folder, device)
        assert job is not None
        assert job.device == expected
        assert f"prepare('{expected}'" in job.preparation
    assert ahead.batch_kind("cuda") is None
    ahead.for_batch(ahead.task(on_gpu), 1)
    batch = ahead.batch_kind("cuda")
    assert batch is not None
    assert batch.device == "cuda"


def test_a_broken_task_is_told_by_the_grade_and_not_here(tmp_path: Path) -> None:
    files = files_of_mean()
    files["reference.py"] = files["reference.py"].replace("mask.sum()", "mask.nowhere()")
    folder, ahead = str(write_task(tmp_path, files)), Prefetcher()
    ahead.prepare(folder)
    assert ahead.take(ahead.task(folder)) is None
