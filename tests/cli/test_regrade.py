"""A log is graded again on its original cases; differences are listed, and the log stays unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.errors import WorkerDied
from graders.verdict import Report, Verdict
from interviewer.cli.group import run
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.store import PracticeLog
from tasks.load import find_task
from tests.cli.test_grade_all import FakeClient, said
from tests.cli.test_shell import closed_pipe
from tests.session.build import report

Captured = pytest.CaptureFixture[str]
PASSED, WRONG = report(), report(Verdict.WRONG_VALUE, "max_for_min")


def attempt(number: int, source: str, graded: Report, task: str = "gae") -> LoggedAttempt:
    return LoggedAttempt(f"a{number}", 1000.0 + number, task, "grade", source, replace(graded, task=task, seed=number))


@pytest.fixture
def log_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that writes attempts into this test's log and returns a reader of the log's bytes."""
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))

    def write(*attempts: LoggedAttempt) -> None:
        log = PracticeLog(tmp_path / "home" / "data" / "log.db")
        for entry in attempts:
            log.record_attempt(entry)
        log.close()

    return write


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    made = FakeClient({"passed": PASSED, "wrong": WRONG, "broken": WorkerDied("the worker exited", "Submit again.")})
    monkeypatch.setattr("graders.client.GraderClient", lambda residence: made)
    return made


def attempts_in(home: Path) -> list[LoggedAttempt]:
    log = PracticeLog(home / "data" / "log.db")
    attempts = log.attempts()
    log.close()
    return attempts


def test_only_what_differs_is_listed_and_the_log_stays(
    capsys: Captured, tmp_path: Path, client: FakeClient, log_of: Any
) -> None:
    kept = [attempt(1, "passed", PASSED), attempt(2, "wrong", PASSED), attempt(3, "wrong", WRONG)]
    log_of(*kept)
    code, out, err = said(capsys, "regrade")
    assert (code, err) == (1, "")
    heading, changed, *rest = out.splitlines()
    assert "3 submissions" in heading
    assert "  a2  gae  passed 1.00  ->  wrong_value 0.50 max_for_min" in changed
    assert rest[0] == "2 of 3 are the same, 1 differ, 0 ungraded"
    assert [(asked["source"], asked["seed"], asked["is_batch"]) for asked in client.asked] == [
        ("passed", 1, True), ("wrong", 2, True), ("wrong", 3, True),
    ]  # fmt: skip
    assert client.asked[0]["task"] == str(find_task("gae").folder)
    assert attempts_in(tmp_path / "home") == kept


def test_differences_that_nobody_reads_end_the_command_as_if_interrupted(
    client: FakeClient, log_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_of(attempt(1, "last", PASSED), attempt(2, "wrong", PASSED))
    with closed_pipe() as closed, monkeypatch.context() as patch:

        def reader_exits() -> Report:
            patch.setattr("sys.stdout", closed)
            return WRONG

        client.answers["last"] = reader_exits
        assert run(["regrade"]) == 130
    assert [asked["source"] for asked in client.asked] == ["last"]


@pytest.mark.parametrize(
    ("sources", "expected"), [(("passed",), 0), (("passed", "wrong"), 1), (("wrong", "broken"), 3)]
)
@pytest.mark.usefixtures("client")
def test_the_code_says_whether_anything_differs(
    capsys: Captured, log_of: Any, sources: tuple[str, ...], expected: int
) -> None:
    log_of(*(attempt(number, source, PASSED) for number, source in enumerate(sources)))
    code, out, _ = said(capsys, "regrade", "--json")
    shown = json.loads(out)
    assert code == expected
    assert shown["submissions"] == len(sources)
    assert {change["id"]: change["change"] for change in shown["changes"]} == {
        f"a{number}": {"wrong": "differs", "broken": "ungraded"}[source]
        for number, source in enumerate(sources)
        if source != "passed"
    }


def test_one_task_may_be_chosen_and_a_deleted_one_is_ungraded(
    capsys: Captured, client: FakeClient, log_of: Any
) -> None:
    log_of(attempt(1, "passed", PASSED), attempt(2, "passed", PASSED, "pool_tokens"), attempt(3, "x", PASSED, "gone"))
    assert said(capsys, "regrade", "pool_tokens")[0] == 0
    assert [asked["seed"] for asked in client.asked] == [2]
    code, out, _ = said(capsys, "regrade")
    assert code == 3
    assert "  a3  gone  passed 1.00  ->  ungraded: " in out
    assert [asked["seed"] for asked in client.asked] == [2, 1, 2]


def test_ctrl_c_keeps_what_is_known(capsys: Captured, client: FakeClient, log_of: Any) -> None:
    client.answers["stop"] = KeyboardInterrupt()
    log_of(attempt(1, "wrong", PASSED), attempt(2, "stop", PASSED))
    code, out, _ = said(capsys, "regrade")
    assert code == 130
    assert "Stopped after 1 of 2." in out
    assert "  a1  gae  passed 1.00  ->  wrong_value 0.50 max_for_min" in out


@pytest.mark.usefixtures("client")
def test_an_empty_log_is_an_error_that_says_so(capsys: Captured, log_of: Any) -> None:
    log_of()
    assert run(["regrade"]) == 2
    assert "no submissions" in capsys.readouterr().err
