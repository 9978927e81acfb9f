"""The subjects of recorded tests (tests/recorded.py) that start the app or grade a shipped task."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import metadata
from typing import Any

from interviewer.bank.load import QUESTIONS
from tasks.load import find_task
from tests.graders.gpu_table import RIGHT
from tests.recorded import GRADER, Subject, machine

COMMAND_LINE = ("interviewer.__main__", "interviewer.cli.group")


def starts(
    *modules: str, tasks: Iterable[str] = (), questions: Iterable[str] = (), package: str = ""
) -> Callable[[object], Subject]:
    """Return a function to the subject of tests that start these commands: their code, the grader and this machine.

    A test does not import what it starts, and the app imports a command's module by its name, so `modules` names it.
    `tasks` and `questions` are the ids of those that it uses, and `package` is an installed package that it needs.
    """

    def subject(_: object) -> Subject:
        version = f" {package} {metadata.version(package)}" if package else ""
        files = [next(QUESTIONS.rglob(f"{name}.toml")) for name in questions]
        paths = (*(find_task(task).folder for task in tasks), *files)
        return Subject("", paths, machine() + version, (*GRADER, *COMMAND_LINE, *modules))

    return subject


def shipped_tasks(*task_ids: str) -> Callable[[object], Subject]:
    """Return a function to the subject of tests that use these tasks and share a costly fixture."""
    return lambda _: Subject("tasks", tuple(find_task(task).folder for task in task_ids))


def shipped_task(params: dict[str, Any]) -> Subject:
    """Return the task that the parameter `task_id` names, with its right programs, as the subject."""
    name = params["task_id"]
    return Subject(name, (find_task(name).folder, *sorted((RIGHT / name).glob("*.py"))))
