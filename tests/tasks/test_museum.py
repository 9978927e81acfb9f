"""The tasks rebuilt from public reports: docs/museum.md lists all of them, and no report is linked before a pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interviewer.cli.content import task_json, task_text
from interviewer.interview.challenge import solution_text
from interviewer.session.state import TaskWork
from tasks.load import TASKS_FOLDER, load_tasks
from tasks.task import Task

PAGE = (Path(__file__).parents[2] / "docs" / "museum.md").read_text(encoding="utf-8")
TASKS = [task for task in load_tasks() if task.area == "museum"]
LINK = re.compile(r"https://[^\s()]+")


def row_of(task: Task) -> str:
    return next((line for line in PAGE.splitlines() if line.startswith(f"| `{task.id}` |")), "")


def links_of(task: Task) -> set[str]:
    return {link for text in task.source for link in LINK.findall(text)}


def test_the_page_lists_the_tasks_that_there_are() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in (TASKS_FOLDER / "museum").iterdir() if path.is_dir())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_page_and_the_task_link_to_the_same_reports(task: Task) -> None:
    assert links_of(task)
    assert set(LINK.findall(row_of(task))) == links_of(task)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_report_is_linked_only_after_a_pass(task: Task) -> None:
    """A report names the bug, so it is shown with the solution, but not in anything that a candidate reads before."""
    assert task.kind == "repair"
    before = [task.title, task_text(task, has_passed=False), task.starter, *task.hints, str(task_json(task))]
    assert not LINK.search("\n".join(before))
    assert links_of(task) <= set(LINK.findall(solution_text(task, TaskWork(task.id, 0.0))))
