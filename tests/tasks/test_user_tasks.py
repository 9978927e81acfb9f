"""A user's own tasks are listed next to the shipped ones; an invalid folder is reported and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.new import scaffold
from tasks.user_tasks import UserTasks, load_user_tasks


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a user's folder that contains one valid task."""
    scaffold(tmp_path / "tasks" / "mine" / "my_loss")
    return tmp_path / "tasks"


def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    assert load_user_tasks(tmp_path / "nowhere") == UserTasks()


def test_own_tasks_are_read_from_any_area(own: Path) -> None:
    (own / ".git").mkdir()
    (own / "mine" / ".DS_Store").write_text("x")

    user_tasks = load_user_tasks(own)

    (task,) = user_tasks.tasks
    assert (task.id, task.area, task.folder) == ("my_loss", "mine", own / "mine" / "my_loss")
    assert user_tasks.problems == ()


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("task.toml", 'titel = "x"', "task.toml"),
        ("reference.py", "def (", "reference.py: line 1"),
        ("reference.py", "x = '\0'", "reference.py"),
        ("notes.md", "x", "not allowed in a task folder"),
    ],
)
def test_a_wrong_folder_is_told_and_left_out(own: Path, file: str, text: str, message: str) -> None:
    scaffold(own / "mine" / "other")
    (own / "mine" / "other" / file).write_text(text, encoding="utf-8")

    user_tasks = load_user_tasks(own)

    assert [task.id for task in user_tasks.tasks] == ["my_loss"]
    assert len(user_tasks.problems) == 1
    assert user_tasks.problems[0].startswith(f"{own}/mine/other")
    assert message in user_tasks.problems[0]


def test_what_is_no_task_folder_is_told(own: Path) -> None:
    (own / "README.md").write_text("x")
    (own / "mine" / "empty").mkdir()
    (own / "mine" / "loose.py").write_text("x")

    problems = load_user_tasks(own).problems

    assert [line.split(": ")[0] for line in problems] == [
        f"{own}/README.md",
        f"{own}/mine/loose.py",
        f"{own}/mine/empty/task.toml",
    ]


def test_an_id_is_taken_by_what_ships_and_by_an_earlier_folder(own: Path) -> None:
    scaffold(own / "mine" / "gae")
    scaffold(own / "other" / "my_loss")

    user_tasks = load_user_tasks(own)

    assert [(task.id, task.area) for task in user_tasks.tasks] == [("my_loss", "mine")]
    assert "advantages/gae, a bundled task; rename your folder" in user_tasks.problems[0]
    assert (
        f"{own}/other/my_loss: the id 'my_loss' is already used by {own}/mine/my_loss; rename" in user_tasks.problems[1]
    )


def test_an_alias_counts_as_taken(own: Path, tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    for folder, aliases in ((shipped / "area" / "sums", ["old_sums"]), (own / "mine" / "my_mean", ["sums"])):
        scaffold(folder)
        toml = folder / "task.toml"
        toml.write_text(toml.read_text().replace("level = 1", f"aliases = {aliases}\nlevel = 1", 1))
    scaffold(own / "mine" / "old_sums")

    user_tasks = load_user_tasks(own, shipped)

    assert [task.id for task in user_tasks.tasks] == ["my_loss"]
    taken_alias, taken_id = sorted(user_tasks.problems)
    assert (
        f"my_mean/task.toml: aliases: 'sums' is already used by {shipped}/area/sums, a bundled task; remove it"
        in taken_alias
    )
    assert f"the id 'old_sums' is already used by {shipped}/area/sums, a bundled task; rename your folder" in taken_id
