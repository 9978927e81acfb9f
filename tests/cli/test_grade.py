"""Code graded in a shell counts as practice unless it is someone else's; a broken log does not lose the verdict."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from graders.client import GraderClient
from graders.errors import GradingError
from graders.timing import Timing
from graders.verdict import Report, Verdict
from interviewer.cli.group import run
from interviewer.cli.watch import FileState
from interviewer.log.store import PracticeLog
from tasks.load import find_task
from tests.cli.test_shell import closed_pipe
from tests.session.build import report

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    (tmp_path / "right.py").write_text(find_task("pool_tokens").reference, encoding="utf-8")
    return ["grade", "pool_tokens", str(tmp_path / "right.py"), "--sandbox", "process", "--json"]


@pytest.mark.slow
def test_a_graded_file_is_in_the_log_with_its_source_and_seed(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "--seed", "7"]) == 0
    assert run([*command, "--no-log"]) == 0
    log = PracticeLog(tmp_path / "home" / "data" / "log.db")
    (kept,) = log.attempts()
    log.close()
    assert (kept.task, kept.origin, kept.report.seed) == ("pool_tokens", "grade", 7)
    assert kept.source == (tmp_path / "right.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_log_that_takes_nothing_is_told_beside_the_verdict(
    command: list[str], tmp_path: Path, capsys: Captured
) -> None:
    data = tmp_path / "home" / "data"
    data.parent.mkdir(parents=True)
    data.write_text("no folder", encoding="utf-8")
    assert run(command) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["verdict"] == "passed"
    assert "Not saved to the practice log" in said.err
    assert os.path.isfile(data)


@pytest.fixture
def asked(command: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the tasks whose speed is requested; a submission passes if it is right."""
    tasks: list[str] = []

    def timing(_: GraderClient, task: str, *given: object, **settings: object) -> Timing:
        tasks.append(Path(task).name)
        if Path(task).name == "sequence_packing":
            raise GradingError("the sandbox is gone", "Start it.")
        return Timing("cpu", 7, 0.3, 0.2)

    def graded(_: GraderClient, task: str, source: str, **settings: object) -> Report:
        return report(Verdict.PASSED if source == "right" else Verdict.WRONG_VALUE)

    monkeypatch.setattr(GraderClient, "timing", timing)
    monkeypatch.setattr(GraderClient, "grade", graded)
    return tasks


@pytest.mark.parametrize(
    ("task", "source", "options", "code", "words"),
    [
        ("gae", "right", ["--speed"], 0, "Speed: 1.5 times the reference's time"),
        ("gae", "right", [], 0, "Add --speed"),
        ("gae", "wrong", ["--speed"], 1, ""),
        ("group_advantage", "right", ["--speed"], 0, ""),
        ("sequence_packing", "right", ["--speed"], 0, ""),
    ],
)
def test_speed_is_a_line_after_a_pass_and_changes_no_exit_code(
    asked: list[str],
    tmp_path: Path,
    capsys: Captured,
    task: str,
    source: str,
    options: list[str],
    code: int,
    words: str,
) -> None:
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    assert run(["grade", task, str(tmp_path / "own.py"), *options]) == code
    told = capsys.readouterr()
    last = told.out.splitlines()[-1]
    assert last.startswith(words) if words else "peed" not in told.out
    assert ("Speed was not measured: the sandbox is gone" in told.err) is (task == "sequence_packing")
    is_asked = bool(options) and source == "right" and task != "group_advantage"
    assert asked == ([task] if is_asked else [])


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("source", "code"), [("right", 0), ("wrong", 1)])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_verdict_that_nobody_reads_is_logged_and_keeps_its_exit_code(
    source: str, code: int, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    with closed_pipe() as out, monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert run(["grade", "gae", str(tmp_path / "own.py"), *more]) == code
    log = PracticeLog(tmp_path / "home" / "data" / "log.db")
    assert [attempt.source for attempt in log.attempts()] == [source]
    log.close()


@pytest.mark.usefixtures("asked")
def test_watch_takes_any_file_name_and_logs_a_verdict_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("start", "prepare"):
        monkeypatch.setattr(GraderClient, name, lambda *_: None)
    monkeypatch.setattr("interviewer.cli.watch.watch_file", lambda _: [FileState("right")])
    with closed_pipe() as closed, monkeypatch.context() as patch:

        def reader_exits(*_: object, **__: object) -> Report:
            patch.setattr("sys.stdout", closed)
            return report()

        patch.setattr(GraderClient, "grade", reader_exits)
        assert run(["watch", "gae", str(tmp_path / os.fsdecode(b"caf\xe9.py"))]) == 0
    log = PracticeLog(tmp_path / "home" / "data" / "log.db")
    assert [attempt.origin for attempt in log.attempts()] == ["watch"]
    log.close()


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("task", "where"), [("gae", "CPU"), ("first_log_line", "CPU, ranks with gloo")])
def test_the_last_line_says_where_the_submission_ran(task: str, where: str, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "own.py").write_text("wrong", encoding="utf-8")
    assert run(["grade", task, str(tmp_path / "own.py")]) == 1
    assert f"process (none), {where}, seed 3, " in capsys.readouterr().out.splitlines()[-1]


def test_speed_is_a_field_of_the_json(asked: list[str], tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "own.py").write_text("right", encoding="utf-8")
    command = ["grade", "gae", str(tmp_path / "own.py"), "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["speed"] is None
    assert run([*command, "--speed"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "passed"
    assert told["speed"] == {
        "device": "cpu",
        "runs": 7,
        "seconds": 0.3,
        "reference_seconds": 0.2,
        "problem": "",
        "ratio": pytest.approx(1.5),
    }
