"""What runs on each node: it grades only if it would grade exactly like the others."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.errors import GradingError, WorkerDied
from graders.verdict import Report, Verdict
from interviewer.cli.batch.node import NodeGrader, Setup, versions
from interviewer.cli.batch.task_files import TaskFiles
from tasks.load import find_task, load_task
from tests.session.build import report


class FakeGrader:
    """Passes the reference; `answer` decides about other sources."""

    running = 0
    most_running = 0
    lock = threading.Lock()

    def __init__(self, answer: Callable[[], Report] = report) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.is_closed = False

    def grade(self, task: str, source: str, **wanted: Any) -> Report:
        with self.lock:
            FakeGrader.running += 1
            FakeGrader.most_running = max(self.most_running, FakeGrader.running)
        time.sleep(0.01)
        with self.lock:
            FakeGrader.running -= 1
        self.asked.append({"task": task, "source": source, **wanted})
        return report() if source == find_task("gae").reference else self.answer()

    def close(self) -> None:
        self.is_closed = True


FILES = TaskFiles.read(find_task("gae").folder)
SETUP = Setup(7, "process", "", FILES.digest, versions())


@pytest.fixture(autouse=True)
def own_temp_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def node_of(graders: list[FakeGrader], setup: Setup = SETUP, files: TaskFiles = FILES) -> NodeGrader:
    return NodeGrader(setup, files, len(graders), iter(graders).__next__)


def test_the_task_arrives_whole_and_is_graded_with_the_seed() -> None:
    graders = [FakeGrader(), FakeGrader()]
    node = node_of(graders)
    assert node.check() == {}
    assert node.grade("print()")["report"]["verdict"] == "passed"
    (asked,) = [asked for grader in graders for asked in grader.asked if asked["source"] == "print()"]
    assert (asked["seed"], asked["sandbox"], asked["is_batch"]) == (7, "process", True)
    arrived, shipped = load_task(Path(asked["task"])), find_task("gae")
    assert replace(arrived, folder=shipped.folder) == shipped
    assert all(len(grader.asked) >= 1 for grader in graders), "the check starts every worker"
    node.close()
    assert [grader.is_closed for grader in graders] == [True, True]
    assert not Path(asked["task"]).exists()


@pytest.mark.parametrize("place", range(3))
def test_a_node_with_other_versions_is_refused(place: int) -> None:
    other = [*versions()]
    other[place] = other[place][0], "0.0"
    grader = FakeGrader()
    answer = node_of([grader], replace(SETUP, versions=tuple(other))).check()
    assert f"{other[place][0]} differs" in answer["error"]["message"]
    assert grader.asked == []


def test_a_changed_task_is_refused() -> None:
    changed = TaskFiles(FILES.area, FILES.id, {**FILES.files, "cases.py": b"# other\n" + FILES.files["cases.py"]})
    assert "files were changed" in node_of([FakeGrader()], files=changed).check()["error"]["message"]


def test_a_node_that_cannot_grade_the_reference_is_refused() -> None:
    class Broken(FakeGrader):
        def grade(self, task: str, source: str, **wanted: Any) -> Report:
            return report(Verdict.RAISED)

    class Missing(FakeGrader):
        def grade(self, task: str, source: str, **wanted: Any) -> Report:
            raise GradingError("no Docker engine answers", "Start Docker.", "EngineMissing")

    assert (
        "did not pass on this node (raised an exception)"
        in node_of([FakeGrader(), Broken()]).check()["error"]["message"]
    )
    assert node_of([FakeGrader(), Missing()]).check() == {
        "error": {"kind": "EngineMissing", "message": "no Docker engine answers", "fix": "Start Docker."}
    }


def test_a_failure_of_the_grader_is_no_verdict_and_frees_the_worker() -> None:
    def fail() -> Report:
        raise WorkerDied("the grading worker exited", "Submit again.")

    node = node_of([FakeGrader(fail)])
    for _ in range(3):
        assert node.grade("print()")["error"]["kind"] == "WorkerDied"


def test_no_more_submissions_run_than_there_are_workers() -> None:
    FakeGrader.most_running = 0
    node = node_of([FakeGrader(), FakeGrader()])
    threads = [threading.Thread(target=node.grade, args=("print()",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert FakeGrader.most_running == 2


def test_the_digest_depends_on_names_and_contents_only(tmp_path: Path) -> None:
    copy = FILES.write(tmp_path)
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "cases.pyc").write_bytes(b"compiled")
    os.utime(copy / "cases.py", (1, 1))
    assert TaskFiles.read(copy).digest == FILES.digest
    (copy / "cases.py").rename(copy / "case.py")
    assert TaskFiles.read(copy).digest != FILES.digest
