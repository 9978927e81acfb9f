"""A new task folder is proven without changes, and never overwrites another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.gate.proof import check_task
from interviewer.cli.group import run
from tasks.load import TaskError, load_task
from tasks.new import scaffold


def test_a_new_folder_is_proven(tmp_path: Path) -> None:
    files = scaffold(tmp_path / "losses" / "my_loss")
    assert all(path.exists() for path in files)
    task = load_task(tmp_path / "losses" / "my_loss")
    assert (task.id, task.area, task.entry) == ("my_loss", "losses", "my_loss")
    assert check_task(task, seeds=5) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    folder = tmp_path / "losses" / "my_loss"
    scaffold(folder)
    (folder / "statement.md").write_text("mine")
    with pytest.raises(TaskError, match="already exists"):
        scaffold(folder)
    assert (folder / "statement.md").read_text() == "mine"


@pytest.mark.parametrize("name", ["My-Loss", "2nd", "a b"])
def test_a_name_that_is_no_function_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(TaskError, match="snake_case"):
        scaffold(tmp_path / "losses" / name)


def test_the_command_says_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "task", "losses/my_loss"]) == 0
    assert "interviewer check tasks/losses/my_loss" in capsys.readouterr().out
    assert run(["new", "task", "my_loss"]) == 2
    assert "expected AREA/SLUG" in capsys.readouterr().err
