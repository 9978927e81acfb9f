"""An interrupted batch continues where it stopped, and ends with the same file as an uninterrupted run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.cli.batch.results import COLUMNS
from tests.cli.test_grade_all import BROKEN, PASSED, WRONG, Captured, FakeClient, folder_of, rows_of, said

STOP = "stop"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the client that every command in this test gets."""
    made = FakeClient({"passed": PASSED, "wrong": WRONG, "broken": BROKEN})
    monkeypatch.setattr("graders.client.GraderClient", lambda residence: made)
    return made


def graded_files(client: FakeClient) -> list[str]:
    return [request["source"] for request in client.asked]


@pytest.fixture
def interrupted(capsys: Captured, tmp_path: Path, client: FakeClient) -> tuple[Path, Path]:
    """Return a folder and its CSV after ctrl+c during the third file."""
    client.answers |= {"wrong2": client.answers["wrong"], STOP: KeyboardInterrupt()}
    folder = folder_of(tmp_path / "in", a="passed", b="wrong", c=STOP, d="wrong2")
    path = tmp_path / "out.csv"
    assert said(capsys, "grade-all", "gae", str(folder), "--csv", str(path), "--seed", "7")[0] == 130
    assert [row["name"] for row in rows_of(path)] == ["a.py", "b.py"]
    client.answers[STOP] = client.answers["passed"]
    client.asked.clear()
    return folder, path


def test_only_what_is_missing_is_graded_and_the_file_is_as_from_one_run(
    capsys: Captured, tmp_path: Path, client: FakeClient, interrupted: tuple[Path, Path]
) -> None:
    folder, path = interrupted
    code, out, _ = said(capsys, "grade-all", "gae", str(folder), "--resume", str(path))
    assert code == 1
    assert graded_files(client) == [STOP, "wrong2"]
    assert {request["seed"] for request in client.asked} == {7}
    assert "2 of 4 passed, 2 wrong value" in out
    assert "  2 × max_for_min" in out, "earlier results are counted, too"
    whole = tmp_path / "whole.csv"
    said(capsys, "grade-all", "gae", str(folder), "--csv", str(whole), "--seed", "7")
    assert path.read_bytes() == whole.read_bytes()
    assert said(capsys, "grade-all", "gae", str(folder), "--resume", str(path))[0] == 1
    assert path.read_bytes() == whole.read_bytes(), "nothing is left to do"


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_batch_that_is_interrupted_again_counts_all_earlier_results(
    capsys: Captured, client: FakeClient, interrupted: tuple[Path, Path], more: list[str]
) -> None:
    folder, path = interrupted
    (folder / "0.py").write_text("again")
    client.answers["again"] = KeyboardInterrupt()
    code, out, _ = said(capsys, "grade-all", "gae", str(folder), "--resume", str(path), *more)
    assert code == 130
    assert graded_files(client) == ["again"]
    if more:
        assert json.loads(out)["verdicts"] == {"passed": 1, "wrong_value": 1}
    else:
        assert "Stopped after 2 of 5." in out
        assert "1 of 2 passed, 1 wrong value" in out


def test_ungraded_and_changed_submissions_are_graded_again(
    capsys: Captured, tmp_path: Path, client: FakeClient
) -> None:
    folder, path = folder_of(tmp_path / "in", a="passed", b="broken", c="wrong"), tmp_path / "out.csv"
    said(capsys, "grade-all", "gae", str(folder), "--csv", str(path), "--seed", "7")
    assert [row["verdict"] for row in rows_of(path)] == ["passed", "ungraded", "wrong_value"]
    client.answers["broken"] = client.answers["passed"]
    (folder / "c.py").write_text("passed")
    (folder / "d.py").write_text("wrong")
    client.asked.clear()
    assert said(capsys, "grade-all", "gae", str(folder), "--resume", str(path))[0] == 1
    assert graded_files(client) == ["broken", "passed", "wrong"]
    assert [(row["name"], row["verdict"]) for row in rows_of(path)] == [
        ("a.py", "passed"), ("b.py", "passed"), ("c.py", "passed"), ("d.py", "wrong_value"),
    ]  # fmt: skip


def test_a_row_that_a_crash_cut_off_is_graded_again(
    capsys: Captured, client: FakeClient, interrupted: tuple[Path, Path]
) -> None:
    folder, path = interrupted
    path.write_bytes(path.read_bytes() + b"c.py,pas")
    said(capsys, "grade-all", "gae", str(folder), "--resume", str(path))
    assert graded_files(client) == [STOP, "wrong2"]
    assert [row["verdict"] for row in rows_of(path)] == ["passed", "wrong_value", "passed", "wrong_value"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--csv", "other.csv"], "Leave out --csv."),
        (["--seed", "8"], "has seed 7"),
        (["--device", "cuda"], "is for --device cpu"),
        (["--workers", "2"], "--workers needs --on"),
        (["--on", "head:10001"], "neither ray nor ray://HOST:PORT"),
        (["--on", "ray", "--device", "cuda"], "cannot grade with --device cuda"),
    ],
)
def test_options_that_contradict_the_file_are_refused(
    capsys: Captured, client: FakeClient, interrupted: tuple[Path, Path], arguments: list[str], expected: str
) -> None:
    folder, path = interrupted
    before = path.read_bytes()
    code, out, err = said(capsys, "grade-all", "gae", str(folder), "--resume", str(path), *arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert client.asked == []
    assert path.read_bytes() == before


def test_another_task_folder_or_file_is_refused(
    capsys: Captured, tmp_path: Path, client: FakeClient, interrupted: tuple[Path, Path]
) -> None:
    folder, path = interrupted
    code, _, err = said(capsys, "grade-all", "ppo_clip_loss", str(folder), "--resume", str(path))
    assert (code, "different task" in err) == (2, True)
    other = folder_of(tmp_path / "other", a="passed")
    code, _, err = said(capsys, "grade-all", "gae", str(other), "--resume", str(path))
    assert (code, "b.py is not in the folder" in err) == (2, True)
    foreign = tmp_path / "foreign.csv"
    for data in (
        b"",
        b"name,verdict\r\na.py,passed\r\n",
        b"\xff\xfe\x00",
        ",".join(COLUMNS).encode() + b"\r\na.py\r\n",
    ):
        foreign.write_bytes(data)
        code, _, err = said(capsys, "grade-all", "gae", str(folder), "--resume", str(foreign))
        assert (code, "not a CSV file from grade-all" in err) == (2, True)
        assert foreign.read_bytes() == data
    code, _, err = said(capsys, "grade-all", "gae", str(folder), "--resume", str(folder / "a.py"))
    assert (code, "one of the submissions" in err) == (2, True)
    assert client.asked == []


def test_a_special_file_is_written_but_not_sorted(capsys: Captured, tmp_path: Path, client: FakeClient) -> None:
    folder = folder_of(tmp_path / "in", a="passed", b="wrong")
    assert said(capsys, "grade-all", "gae", str(folder), "--csv", "/dev/null")[0] == 1
    assert Path("/dev/null").is_char_device()
