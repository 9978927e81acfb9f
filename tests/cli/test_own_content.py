"""The user's own content is listed, asked, graded and checked like ours; its problems are reported and never fatal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from graders.client import GraderClient
from interviewer.cli import doctor
from interviewer.cli.group import run
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import SandboxGrader, new_challenge
from tasks.new import scaffold
from tests.bank.conftest import GOOD

Captured = pytest.CaptureFixture[str]
FORM = 'format = 1\ndraft = true\nlevel = 2\ntopics = ["mine"]\nsource = ["me"]\nprompt = "What is it?"\n'
OWN = GOOD.replace('seeds = ["001 #7"]\n', "").replace('topics = ["ppo", "clipping"]', 'topics = ["mine"]')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the user's home folder with a question, a form, an invalid file, a task and an invalid task."""
    area = tmp_path / "home" / "questions" / "mine"
    area.mkdir(parents=True)
    for name, text in (("own_clip", OWN), ("form", FORM), ("typo", OWN.replace("level =", "levl ="))):
        (area / f"{name}.toml").write_text(text, encoding="utf-8")
    scaffold(tmp_path / "home" / "tasks" / "losses" / "my_loss")
    scaffold(tmp_path / "home" / "tasks" / "losses" / "gae")
    return tmp_path / "home"


def test_without_a_home_own_content_lies_with_the_data() -> None:
    folders = find_folders({})
    assert (folders.questions, folders.tasks) == (folders.data / "questions", folders.data / "tasks")
    folders = find_folders({"INTERVIEWER_HOME": "/somewhere"})
    assert (folders.questions, folders.tasks) == (Path("/somewhere/questions"), Path("/somewhere/tasks"))


def test_lists_hold_own_questions_and_say_what_was_left_out(capsys: Captured, home: Path) -> None:
    assert run(["questions", "--topic", "mine"]) == 0
    out, err = capsys.readouterr()
    assert [line.split(maxsplit=2) for line in out.splitlines()] == [
        ["own_clip", "mine", "level 3               mine"],
        ["form", "mine", "draft, no points yet  mine"],
    ]
    assert "typo.toml:3: levl: unknown key; did you mean 'level'?" in err

    assert run(["questions", "own_clip", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["questions"][0]["draft"] is False
    assert "left out: " in err


def test_a_broken_question_that_is_named_tells_its_trouble(capsys: Captured, home: Path) -> None:
    for name, said in (("typo", "levl: unknown key"), ("form", "has no [[point]] yet")):
        assert run(["judge", name, "--examiner", "offline"]) == 2
        assert f"{home}/questions/mine/{name}.toml" in (err := capsys.readouterr().err)
        assert said in err


@pytest.mark.slow
def test_own_tasks_are_listed_and_a_taken_id_is_told(capsys: Captured, home: Path) -> None:
    assert run(["tasks", "--json"]) == 0
    out, err = capsys.readouterr()
    ids = [task["id"] for task in json.loads(out)["tasks"]]
    assert ids[-1] == "my_loss"
    assert ids.count("gae") == 1
    assert f"{home}/tasks/losses/gae: the id 'gae' is already used by" in err


def test_doctor_tells_the_trouble_and_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The child process that imports torch takes seconds, and the engine does not matter to this test.
    for slow in ("_torch", "_engine"):
        monkeypatch.setattr(doctor, slow, lambda *_: doctor.Check("left out", True, ""))
    with AppContext(Settings(), find_folders()) as context:
        checks = {check.name: check for check in doctor.run_checks(context)}
    own = checks["your own content"]
    assert not own.is_ok
    assert own.detail.startswith("1 question, 1 draft, 1 coding task,")
    assert "typo.toml:3: levl: unknown key" in own.detail
    assert checks["content"].is_ok


def test_the_grader_is_given_the_folder_of_an_own_task_and_the_id_of_ours(home: Path) -> None:
    asked: list[str] = []

    class Client:
        def prepare(self, task: str, device: str) -> None:
            asked.append(task)

        def grade(self, task: str, source: str, **_: str) -> None:
            asked.append(task)

        def close(self, stays: bool = False) -> None:
            asked.append("closed")

    with AppContext(Settings(examiner="offline"), find_folders()) as context:
        context.grader_client = cast(GraderClient, Client())
        grader = new_challenge(context, ["my_loss"], 10)._grader
        assert isinstance(grader, SandboxGrader)
        for task in ("my_loss", "gae"):
            grader.prepare(task)
            grader.grade(task, "")
    folder = str(home / "tasks" / "losses" / "my_loss")
    assert asked == [folder, folder, "gae", "gae", "closed"]


def test_an_own_question_is_proven_and_only_it_is_complained_of(capsys: Captured, home: Path) -> None:
    path = home / "questions" / "mine" / "own_clip.toml"
    path.write_text(OWN.replace("'overflow'", "'overflows in float16 exponents'").replace("'gradient norm', ", ""))
    path.write_text(path.read_text().replace("'clips? the gradients'", "'clips? the gradients', 'norm of all slopes'"))
    assert run(["check", str(path)]) == 0
    assert capsys.readouterr().out == "your own questions: 1 read, 0 complaints\n"

    path.write_text(OWN, encoding="utf-8")
    assert run(["check", str(path)]) == 1
    *complaints, last = capsys.readouterr().out.splitlines()
    assert all(line.startswith(f"{path}: misconception ") for line in complaints)
    assert last == f"your own questions: 1 read, {len(complaints)} complaints"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("questions/mine/typo.toml", "typo.toml:3: levl: unknown key; did you mean 'level'?"),
        ("questions/mine/form.toml", "form.toml: [[point]]: expected 5 to 8, got 0"),
        ("questions", "typo.toml:3: levl: unknown key"),
        ("tasks/losses/gae", "gae: the id 'gae' is already used by"),
    ],
)
def test_the_gate_names_what_is_wrong(capsys: Captured, home: Path, place: str, said: str) -> None:
    assert run(["check", str(home / place)]) == 1
    assert said in capsys.readouterr().out


def test_an_own_task_is_proven(capsys: Captured, home: Path) -> None:
    assert run(["check", str(home / "tasks" / "losses" / "my_loss")]) == 0
    assert "1 proven with 2 mistakes" in capsys.readouterr().out
