"""A user's own tasks stand beside those that ship; a broken folder is told with its file and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.new import scaffold
from tasks.own import OwnTasks, read_own_tasks


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a user's folder that holds one sound task."""
    scaffold(tmp_path / "tasks" / "mine" / "my_loss")
    return tmp_path / "tasks"


def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    assert read_own_tasks(tmp_path / "nowhere") == OwnTasks()


def test_own_tasks_are_read_from_any_area(own: Path) -> None:
    (own / ".git").mkdir()
    (own / "mine" / ".DS_Store").write_text("x")

    found = read_own_tasks(own)

    assert [(one.id, one.area, one.folder) for one in found.tasks] == [("my_loss", "mine", own / "mine" / "my_loss")]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("task.toml", 'titel = "x"', "task.toml"),
        ("reference.py", "def (", "reference.py: line 1"),
        ("reference.py", "x = '\0'", "reference.py"),
        ("notes.md", "x", "a task folder may not hold this"),
    ],
)
def test_a_wrong_folder_is_told_and_left_out(own: Path, file: str, text: str, said: str) -> None:
    scaffold(own / "mine" / "other")
    (own / "mine" / "other" / file).write_text(text, encoding="utf-8")

    found = read_own_tasks(own)

    assert [one.id for one in found.tasks] == ["my_loss"]
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"{own}/mine/other")
    assert said in found.problems[0]


def test_what_is_no_task_folder_is_told(own: Path) -> None:
    (own / "README.md").write_text("x")
    (own / "mine" / "empty").mkdir()
    (own / "mine" / "loose.py").write_text("x")

    told = read_own_tasks(own).problems

    assert [line.split(": ")[0] for line in told] == [
        f"{own}/README.md",
        f"{own}/mine/loose.py",
        f"{own}/mine/empty/task.toml",
    ]


def test_an_id_is_taken_by_what_ships_and_by_an_earlier_folder(own: Path) -> None:
    scaffold(own / "mine" / "gae")
    scaffold(own / "other" / "my_loss")

    found = read_own_tasks(own)

    assert [(one.id, one.area) for one in found.tasks] == [("my_loss", "mine")]
    assert "advantages/gae, which ships; rename your folder" in found.problems[0]
    assert f"{own}/other/my_loss: the id 'my_loss' is taken by {own}/mine/my_loss; rename" in found.problems[1]
