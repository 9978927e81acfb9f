"""In a batch, the next submission runs in the shared container while the one before it is being judged."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graders import grade, worker
from graders.grade import Executed
from graders.prefetch import Prefetcher
from graders.verdict import Report
from sandbox.docker.forkserver import ForkServer
from sandbox.job import Ending, Finished, Job, never
from tests.graders.build import MISTAKES, REFERENCE, ForkSandbox, files_of_mean, write_task

SECONDS_MAX = 60.0


class FakeForkServer(ForkServer):
    """Returns the recorded output of each job, and counts the runs; a job without a recording runs until cancelled."""

    def __init__(self) -> None:
        self.recorded: dict[bytes, Finished] = {}
        self.started = threading.Semaphore(0)
        self.count = 0

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        self.count += 1
        self.started.release()
        if job.payload in self.recorded:
            return self.recorded[job.payload]
        until = time.monotonic() + SECONDS_MAX
        while not is_cancelled():
            assert time.monotonic() < until, "the run was not cancelled"
            time.sleep(0.01)
        return Finished(b"", b"", False, Ending.CANCELLED, None, 0.0, self.isolation)


class Recorder(ForkSandbox):
    """Runs each job in a fork of the test process, and records its output."""

    def __init__(self, recorded: dict[bytes, Finished]) -> None:
        self.recorded = recorded

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        self.recorded[job.payload] = super().run(job, is_cancelled)
        return self.recorded[job.payload]


class Batch:
    """A worker whose requests have all arrived, and the answers that it gives to them one by one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, *requests: dict[str, Any]) -> None:
        self.server = FakeForkServer()
        self.client = worker.Client(io.StringIO(), io.StringIO())
        self.worker = worker.Worker(self.client)
        monkeypatch.setattr(self.worker._sandboxes, "find_shared", lambda image: self.server)
        self.prefetcher = Prefetcher()
        prepared = self.prefetcher.for_batch(self.prefetcher.task(str(folder)), 3)
        for source in (REFERENCE, MISTAKES["mean_of_all"]):
            # In advance, because a process must not be forked while another of its threads is using torch.
            grade.execute(prepared, source, Recorder(self.server.recorded), "cpu", never)
        for number, request in enumerate(requests):
            usual = {"device": "cpu", "sandbox": "docker", "image": "", "seed": 3, "is_batch": True}
            self.worker._waiting.put((self.client, {"id": number, "task": str(folder), **usual, **request}))

    def answer(self) -> dict[str, Any]:
        """Return the answer to the next request."""
        client, request = self.worker._next or self.worker._waiting.get_nowait()
        self.worker._next = None
        return self.worker._answer(client, request, self.prefetcher)


@pytest.fixture(autouse=True)
def own_temp_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_task(tmp_path, files_of_mean())


def kinds(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["error"]["kind"] if "error" in answer else answer["report"]["verdict"] for answer in answers]


def test_the_next_submission_runs_while_this_one_is_judged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(monkeypatch, folder, {"source": REFERENCE}, {"source": MISTAKES["mean_of_all"]})
    judge = grade.report_on
    waits = [2, 0]

    def judge_late(executed: Executed) -> Report:
        for _ in range(waits.pop(0)):
            assert batch.server.started.acquire(timeout=SECONDS_MAX), "the next submission did not start"
        return judge(executed)

    monkeypatch.setattr(grade, "report_on", judge_late)
    assert kinds([batch.answer() for _ in range(2)]) == ["passed", "wrong_value"]
    assert (batch.server.count, waits) == (2, [])


@pytest.mark.parametrize("change", [{"seed": 4}, {"is_batch": False}, {"cells": True}])
def test_a_different_request_does_not_start_early(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    batch = Batch(monkeypatch, folder, {"source": REFERENCE}, {"source": REFERENCE, **change})
    assert kinds([batch.answer()]) == ["passed"]
    assert batch.worker._begun is None
    assert batch.server.count == 1


def test_a_run_on_cases_that_changed_meanwhile_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(monkeypatch, folder, {"source": REFERENCE}, {"source": REFERENCE})
    assert kinds([batch.answer()]) == ["passed"]
    cases = (folder / "cases.py").read_text(encoding="utf-8")
    (folder / "cases.py").write_text(f"{cases}\n# changed\n", encoding="utf-8")
    assert kinds([batch.answer()]) == ["passed"]
    assert batch.server.count == 3


def test_a_cancelled_submission_stops_its_early_run_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = ({"source": REFERENCE}, {"source": "while True: pass"}, {"source": REFERENCE})
    batch = Batch(monkeypatch, folder, *sources)
    answers = [batch.answer()]
    batch.client.cancelled.add(1)
    answers += [batch.answer() for _ in range(2)]
    assert kinds(answers) == ["passed", "Cancelled", "passed"]


def test_a_client_that_leaves_ends_the_early_run_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(monkeypatch, folder, {"source": REFERENCE}, {"source": "while True: pass"})
    assert kinds([batch.answer()]) == ["passed"]
    begun = batch.worker._begun
    assert begun is not None
    assert not begun.run.done()
    batch.worker._read(batch.client)
    assert begun.run.done()
