"""A folder of submissions: each result is printed at once, our failures are no verdicts, and others' text is data."""

from __future__ import annotations

import csv
import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from graders.client import SENT_AHEAD
from graders.errors import GradingError, WorkerDied
from graders.verdict import Outcome, Report, Symptom, Verdict
from interviewer.cli.batch.results import COLUMNS, SubmissionResult, object_of, row_of
from interviewer.cli.group import run
from interviewer.errors import journal
from tests.cli.test_shell import closed_pipe
from tests.session.build import report

Captured = pytest.CaptureFixture[str]
Answer = Report | BaseException | Callable[[], Report]
PASSED, WRONG = report(), report(Verdict.WRONG_VALUE, "max_for_min")
BROKEN = WorkerDied("the grading worker exited", "Submit again.")


class FakeClient:
    """Replies to each submission with the prepared answer that its source names."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: list[dict[str, Any]] = []

    def start(self, warm: str = "", image: str = "") -> None:
        self.warmed = warm

    def grade_many(self, task: str, sources: Iterator[str], **wanted: Any) -> Iterator[Report | GradingError]:
        sent: deque[str] = deque()
        while True:
            sent.extend(islice(sources, 1 + SENT_AHEAD - len(sent)))
            if not sent:
                return
            try:
                yield self.grade(task, sent.popleft(), **wanted)
            except GradingError as error:
                yield error

    def grade(self, task: str, source: str, **wanted: Any) -> Report:
        self.asked.append({"task": task, "source": source, **wanted})
        found = self.answers[source]
        if isinstance(found, BaseException):
            raise found
        made = found if isinstance(found, Report) else found()
        return replace(made, seed=wanted["seed"], seconds={"verdict": 0.25})

    def close(self, stays: bool = False) -> None:
        self.is_closed = True


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the client that every command in this test gets."""
    made = FakeClient({"passed": PASSED, "wrong": WRONG, "broken": BROKEN})
    monkeypatch.setattr("graders.client.GraderClient", lambda residence: made)
    return made


def said(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Run one command; return its exit code, stdout and stderr."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def folder_of(folder: Path, **sources: str) -> Path:
    """Write submissions and return their folder."""
    folder.mkdir(exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8-sig").splitlines(keepends=True)))


def test_each_is_told_in_order_then_the_counts(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    folder = folder_of(tmp_path / "in", dora="wrong", anna="passed", carl="broken", ben="wrong")
    (folder / "._anna.py").write_text("never read")
    (folder / "notes.md").write_text("never read")
    code, out, err = said(capsys, "grade-all", "gae", str(folder))
    assert (code, err) == (3, "")
    heading, *lines = out.splitlines()
    assert "4 files" in heading
    assert [line.split()[:3] for line in lines[:4]] == [
        ["anna.py", "passed", "1.00"],
        ["ben.py", "wrong_value", "0.50"],
        ["carl.py", "ungraded", "-"],
        ["dora.py", "wrong_value", "0.50"],
    ]
    assert "max_for_min" in lines[1]
    assert "the grading worker exited Submit again. Error E" in lines[2]
    assert "1 of 4 passed, 2 wrong value, 1 ungraded" in out
    assert "  2 × max_for_min: Takes the maximum." in out
    assert client.warmed == "", "a warm cell would wait beside the shared container"
    assert client.is_closed


def test_a_file_that_is_not_graded_is_told_in_its_place(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    folder = folder_of(tmp_path / "in", a="passed", b="wrong", d="passed", f="wrong")
    for name in ("c.py", "e.py", "g.py"):
        (folder / name).mkdir()
    lines = said(capsys, "grade-all", "gae", str(folder))[1].splitlines()[1:8]
    assert [line.split()[0] for line in lines] == [f"{letter}.py" for letter in "abcdefg"]


def test_one_fresh_seed_serves_all_and_is_shown(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    folder = folder_of(tmp_path / "in", a="passed", b="passed")
    seeds = []
    for _ in range(2):
        out = said(capsys, "grade-all", "gae", str(folder))[1]
        first, second = (request["seed"] for request in client.asked[-2:])
        assert first == second
        assert f"--seed {first} " in out
        seeds.append(first)
    assert seeds[0] != seeds[1]
    said(capsys, "grade-all", "gae", str(folder), "--seed", "7", "--sandbox", "process")
    assert [(request["seed"], request["sandbox"]) for request in client.asked[-2:]] == [(7, "process")] * 2


@pytest.mark.parametrize(
    ("sources", "expected"),
    [(("passed", "passed"), 0), (("passed", "wrong"), 1), (("wrong", "broken"), 3), (("passed", "broken"), 3)],
)
@pytest.mark.usefixtures("client")
def test_the_code_tells_what_came_of_all(
    capsys: Captured, tmp_path: Path, sources: tuple[str, ...], expected: int
) -> None:
    folder = folder_of(tmp_path / "in", **{f"n{place}": source for place, source in enumerate(sources)})
    assert said(capsys, "grade-all", "gae", str(folder))[0] == expected
    code, out, err = said(capsys, "grade-all", "gae", str(folder), "--json")
    shown = json.loads(out)
    assert code == expected
    assert [submission["verdict"] for submission in shown["submissions"]] == [
        {"passed": "passed", "wrong": "wrong_value", "broken": "ungraded"}[source] for source in sources
    ]
    assert "n1.py" in err, "with --json the lines go beside the object"


@pytest.mark.usefixtures("client")
def test_the_object_holds_all_of_it(capsys: Captured, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "in", a="wrong", b="broken")
    shown = json.loads(said(capsys, "grade-all", "gae", str(folder), "--json", "--seed", "7")[1])
    assert {name: shown[name] for name in ("task", "device", "sandbox", "seed", "files", "is_stopped", "graded")} == {
        "task": "gae", "device": "cpu", "sandbox": "docker", "seed": 7, "files": 2, "is_stopped": False, "graded": 1,
    }  # fmt: skip
    assert shown["verdicts"] == {"wrong_value": 1, "ungraded": 1}
    assert shown["mistakes"] == [{"id": "max_for_min", "wrong": "Takes the maximum.", "submissions": 1}]
    wrong, broken = shown["submissions"]
    assert (wrong["score"], wrong["mistakes"], wrong["isolation"]) == (0.5, ["max_for_min"], "none")
    assert wrong["failing_cases"] == [
        {"name": "f6", "verdict": "wrong_value", "message": "loss: expected 0.1, got -0.1"}
    ]
    assert wrong["seconds"] == {"verdict": 0.25}
    assert (broken["score"], broken["failing_cases"]) == (None, [])
    assert broken["why"].startswith("the grading worker exited")


def test_the_csv_grows_row_by_row(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    folder, path = folder_of(tmp_path / "in", a="passed", b="wrong", c="broken"), tmp_path / "out.csv"
    seen: list[list[str]] = []

    def looks() -> Report:
        seen.append([row["name"] for row in rows_of(path)])
        return WRONG

    client.answers["wrong"] = looks
    said(capsys, "grade-all", "gae", str(folder), "--csv", str(path), "--seed", "7")
    assert seen == [["a.py"]], "the first row is there while the second is graded"
    passed, wrong, broken = rows_of(path)
    assert (passed["verdict"], passed["score"], passed["failing_cases"], passed["why"]) == ("passed", "1.000", "", "")
    assert {name: wrong[name] for name in ("mistake", "failing_cases", "seconds", "isolation", "device", "seed")} == {
        "mistake": "max_for_min",
        "failing_cases": "f6 wrong_value",
        "seconds": "0.25",
        "isolation": "none",
        "device": "cpu",
        "seed": "7",
    }
    assert (broken["verdict"], broken["score"]) == ("ungraded", "")


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_ctrl_c_keeps_what_is_known(
    capsys: Captured, tmp_path: Path, client: FakeClient, more: tuple[str, ...]
) -> None:
    folder, path = folder_of(tmp_path / "in", a="passed", b="stop", c="wrong"), tmp_path / "out.csv"
    client.answers["stop"] = KeyboardInterrupt()
    code, out, _ = said(capsys, "grade-all", "gae", str(folder), "--csv", str(path), *more)
    assert code == 130
    assert [row["name"] for row in rows_of(path)] == ["a.py"]
    if more:
        shown = json.loads(out)
        assert (shown["is_stopped"], shown["files"], len(shown["submissions"])) == (True, 3, 1)
    else:
        assert "Stopped after 1 of 3." in out
        assert "1 of 1 passed" in out
    assert client.is_closed


def test_a_batch_whose_lines_nobody_reads_ends_as_if_interrupted(
    tmp_path: Path, client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, path = folder_of(tmp_path / "in", a="last", b="wrong"), tmp_path / "out.csv"
    with closed_pipe() as closed, monkeypatch.context() as patch:

        def reader_exits() -> Report:
            patch.setattr("sys.stdout", closed)
            return PASSED

        client.answers["last"] = reader_exits
        assert run(["grade-all", "gae", str(folder), "--csv", str(path)]) == 130
    assert [row["name"] for row in rows_of(path)] == ["a.py"]
    assert client.is_closed


def test_names_and_messages_obey_nobody(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    message = "\x1b[31m=HYPERLINK(1)\nz.py passed 1.00\u202e"
    client.answers["hostile"] = replace(PASSED, cases=(Outcome("f6", Verdict.RAISED, 1.0, message),))
    names = ("=1+1", "+1", "-1", "@SUM(A1)", "a\x1b[2Jb", "a\nz.py  passed  1.00")
    folder, path = folder_of(tmp_path / "in", **dict.fromkeys(names, "hostile")), tmp_path / "out.csv"
    _, out, _ = said(capsys, "grade-all", "gae", str(folder), "--csv", str(path))
    _, told, err = said(capsys, "grade-all", "gae", str(folder), "--json")
    for text in (out, err, told, path.read_text("utf-8-sig")):
        assert "\x1b" not in text
        assert "\\u001b" not in text
        assert "\u202e" not in text
    assert not [line for line in out.splitlines() if line.startswith("z.py")]
    cells = [cell for row in rows_of(path) for cell in row.values()]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    assert {row["name"][:2] for row in rows_of(path)} == {"'=", "'+", "'-", "'@", "a[", "a "}
    assert all(row["why"] == "'=HYPERLINK(1) z.py passed 1.00" or "HYPERLINK" in row["why"] for row in rows_of(path))


def test_what_is_no_source_file_is_ungraded_and_the_rest_go_on(
    capsys: Captured, tmp_path: Path, client: FakeClient
) -> None:
    folder = folder_of(tmp_path / "in", z="passed")
    (folder / "bytes.py").write_bytes(b"\xff\xfe")
    (folder / "folder.py").mkdir()
    (folder / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.py")
    (folder / "large.py").write_bytes(b"#" * (2**20 + 1))
    code, out, _ = said(capsys, "grade-all", "gae", str(folder), "--json")
    shown = {submission["name"]: submission for submission in json.loads(out)["submissions"]}
    assert code == 3
    assert shown["z.py"]["verdict"] == "passed"
    whys = {name: submission["why"] for name, submission in shown.items() if submission["verdict"] == "ungraded"}
    assert set(whys) == {"bytes.py", "folder.py", "link.py", "pipe.py", "large.py"}
    assert whys["bytes.py"].startswith("not UTF-8 text")
    assert whys["large.py"].startswith("larger than 1 MiB")
    assert "link" in whys["link.py"]
    assert len(client.asked) == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["gea", "in"], "Did you mean gae?"),
        (["gae", "none"], "does not exist"),
        (["gae", "empty"], "contains no *.py files"),
        (["gae", "empty"], "Pass a folder that contains *.py files."),
        (["gae", "in", "--csv", "none/out.csv"], "none/out.csv: No such file"),
        (["gae", "in", "--csv", "in/a.py"], "in/a.py is one of the submissions"),
        (["grpo_memory_estimate", "in", "--device", "cuda"], "runs on cpu, not cuda"),
        (["gae", "in", "--seed", "-1"], "--seed"),
        (["gae", "in", "--seed", str(2**64)], "--seed"),
    ],
)
def test_bad_input_exits_2_before_anything_is_graded(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: FakeClient, arguments: list[str],
    expected: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "in", a="passed")
    (tmp_path / "empty").mkdir()
    code, out, err = said(capsys, "grade-all", *arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert client.asked == []
    assert (tmp_path / "in" / "a.py").read_text() == "passed"


def test_nothing_of_it_is_the_instructors_practice(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    said(capsys, "grade-all", "gae", str(folder_of(tmp_path / "in", a="passed", b="wrong")))
    assert len(client.asked) == 2
    assert not (tmp_path / "home").exists(), "not even a log file was made"


def test_the_same_failure_of_ours_is_kept_once(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    client.answers |= {f"b{n}": WorkerDied("the grading worker exited", "Submit again.") for n in range(3)}
    _, out, _ = said(capsys, "grade-all", "gae", str(folder_of(tmp_path / "in", a="b0", b="b1", c="b2")))
    (fault,) = journal.records()
    assert out.count(f"Error {fault.id}.") == 3


def test_symptoms_stand_after_the_rest_and_in_the_object() -> None:
    symptom = Symptom("negated", "In the failing case, `loss` is the expected value with the opposite sign.", "Why?")
    graded = SubmissionResult("a.py", replace(report(Verdict.WRONG_VALUE), symptoms=(symptom,)))
    assert COLUMNS[-3:] == ("symptoms", "source_digest", "task_digest")
    assert row_of(graded)["symptoms"] == symptom.says
    assert object_of(graded)["symptoms"] == [{"id": "negated", "says": symptom.says}]
