"""Our failures are recorded under the id that was shown: they can be found again, are private, and contain no keys."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from graders.client import GraderClient
from graders.errors import Cancelled
from interviewer import errors
from interviewer.cli import doctor
from interviewer.cli.group import run
from interviewer.errors import UnknownName, journal
from interviewer.interview.sessions import SandboxGrader
from interviewer.log.errors import LogUnwritable
from interviewer.session.state import Awaiting
from tests.fakes import FakeGrader, RecordingFrontend, make_interview

Captured = pytest.CaptureFixture[str]
KEY = "sk-test-abcdefghijklmnop"
SAID = "I would say that the clip keeps the ratio inside the interval"


def output_of(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def failing(message: str) -> Exception:
    """Return an error as it is caught, with the location where it was raised."""
    try:
        raise RuntimeError(message)
    except RuntimeError as error:
        return error


@pytest.mark.expectation(number=72)
def test_a_failure_has_an_id_by_which_it_is_found(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    source = tmp_path / "s.py"
    source.write_text("x = 1\n")
    code, out, _ = output_of(capsys, "grade", "gae", str(source), "--sandbox", "docker", "--json")
    assert code == 3
    shown = json.loads(out)["error"]
    assert re.fullmatch(r"E[0-9A-F]{4}", shown["id"])
    _, out, _ = output_of(capsys, "errors", shown["id"].lower(), "--json")
    fault = json.loads(out)
    assert (fault["id"], fault["kind"], fault["message"]) == (shown["id"], shown["kind"], shown["message"])
    assert fault["version"]
    assert any(line.strip().startswith("interviewer/cli/grade.py:") for line in fault["trace"])
    # Including the first cause, which the message for the user omits.
    assert any(line.startswith("GradingError: ") for line in fault["trace"])
    _, listed, _ = output_of(capsys, "errors")
    assert shown["id"] in listed


@pytest.mark.expectation(number=53)
def test_what_nobody_foresaw_is_our_failure_and_no_traceback(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> int:
        raise RuntimeError(f"the server said: {KEY} is no key, and '{SAID}' is no answer")

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(doctor, "run_checks", broken)
    code, out, err = output_of(capsys, "doctor")
    assert (code, out) == (3, "")
    assert "Traceback" not in err
    match = re.search(r"Error (E[0-9A-F]{4})", err)
    assert match
    _, out, _ = output_of(capsys, "errors", match[1])
    assert "tests/test_error_journal.py" in out
    assert "RuntimeError: the server said: [key] is no key, and “… " in out
    for text in (err, out, journal.path.read_text()):
        assert KEY not in text
        assert "clip keeps" not in text


def test_a_failure_with_words_of_its_own_keeps_them(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise LogUnwritable("log.db: disk is full", "Free that place.")

    monkeypatch.setattr(doctor, "run_checks", full)
    code, _, err = output_of(capsys, "doctor")
    assert code == 3
    assert err.startswith("interviewer: log.db: disk is full\nFree that place.\nError E")
    assert journal.records()[0].kind == "LogUnwritable"


def test_bad_input_is_nobodys_fault(capsys: Captured) -> None:
    code, _, err = output_of(capsys, "grade", "gea", "x.py")
    assert code == 2
    assert "Error" not in err
    assert journal.record(UnknownName("unknown task gea")) == ""
    assert not journal.path.exists()
    code, out, _ = output_of(capsys, "errors")
    assert code == 0
    assert out.startswith("No errors recorded. ")
    assert json.loads(output_of(capsys, "errors", "--json")[1])["errors"] == []
    code, _, err = output_of(capsys, "errors", "E0000")
    assert code == 2
    assert "no error E0000" in err


def test_a_grader_worker_that_dies_is_kept_and_its_id_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    client = GraderClient()
    grader = SandboxGrader(client, "process", "", "cpu", {"gae": "gae"})
    interview = make_interview(tmp_path, ("task", "gae"), grader=grader)  # type: ignore[arg-type]
    interview.run_until_input(RecordingFrontend())
    assert interview.session.awaiting is Awaiting.SUBMISSION
    interview.submit(f"# {SAID}\n")
    interview.run_until_input(RecordingFrontend())
    client.close()
    (fault,) = journal.records()
    assert fault.kind == "WorkerDied"
    assert "exit code 1" in fault.message
    assert fault.trace[-1].startswith("WorkerDied: the grading worker exited")
    assert f"Error {fault.id}." in interview.session.last_said(by_interviewer=True)
    assert SAID not in journal.path.read_text()


def test_a_grade_that_the_user_stopped_is_no_fault(tmp_path: Path) -> None:

    interview = make_interview(tmp_path, ("task", "gae"), grader=FakeGrader(Cancelled("stopped", "Submit again.")))
    interview.run_until_input(RecordingFrontend())
    interview.submit("x = 1")
    interview.run_until_input(RecordingFrontend())
    assert "Error" not in interview.session.last_said(by_interviewer=True)
    assert journal.records() == []


def test_the_file_is_private_and_turned_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "JOURNAL_BYTES_MAX", 4000)
    ids = [journal.record(failing(f"number {number}")) for number in range(60)]
    files = sorted(journal.path.parent.glob("errors*"))
    assert [file.name for file in files] == ["errors.1.jsonl", "errors.jsonl"]
    assert all(file.stat().st_size <= 4000 for file in files)
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    kept_ids = [record.id for record in journal.records()]
    assert kept_ids == ids[::-1][: len(kept_ids)]
    assert len(kept_ids) > 10


def test_the_same_error_is_kept_once_and_a_long_one_is_cut() -> None:
    error = failing("word " * 100_000)
    assert journal.record(error) == journal.record(error)
    (fault,) = journal.records()
    assert len(fault.message) < 2100
    assert journal.path.stat().st_size < 10_000


def test_what_cannot_be_kept_gets_no_id_and_a_damaged_line_hides_no_other(tmp_path: Path) -> None:
    first = journal.record(failing("one"))
    with journal.path.open("a") as file:
        file.write('{"id": "E0000"}\nnot json\n')
    second = journal.record(failing("two"))
    assert [record.id for record in journal.records()] == [second, first]
    journal.path.unlink()
    journal.path.mkdir()
    assert journal.record(failing("three")) == ""


def test_an_error_without_words_is_kept() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no")

    assert journal.record(Mute())
    assert "its message could not be read" in journal.records()[0].message
