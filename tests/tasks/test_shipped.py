"""Every shipped task is complete: enough mistakes, hints and sources, and seeds that exist."""

from __future__ import annotations

import pytest

from interviewer.bank.load import load_questions, load_source_items
from tasks.load import load_task, load_tasks
from tasks.task import Task

TASKS = load_tasks()
MISTAKES_MIN = 12
HINTS_MIN = 3


def test_what_ships_loads_in_full_as_it_loads_in_the_app() -> None:
    assert tuple(load_task(task.folder) for task in TASKS) == TASKS


def test_every_task_belongs_to_a_question() -> None:
    listed = {task for question in load_questions() for task in question.tasks}
    assert {task.id for task in TASKS} - listed == set()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_task_that_ships_is_whole(task: Task) -> None:
    assert len(task.mistakes) >= MISTAKES_MIN
    assert len(task.hints) >= HINTS_MIN
    assert set(task.seeds) <= set(load_source_items())
    assert task.seeds
    assert all(mistake.ask.rstrip().endswith(("?", ".")) for mistake in task.mistakes)
    assert "Example" in task.statement
