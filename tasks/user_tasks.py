"""Loads the user's own tasks in addition to the shipped ones; an invalid folder is reported and skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tasks.load import TaskError, load_task, task_folders, task_names
from tasks.task import Task


@dataclass(frozen=True)
class UserTasks:
    """The valid tasks in a user's folder; `problems` lists the skipped tasks and the reasons."""

    tasks: tuple[Task, ...] = ()
    problems: tuple[str, ...] = ()


def load_user_tasks(folder: Path, shipped: Path | None = None) -> UserTasks:
    """Return the tasks in <folder>/<area>/<slug>/; empty if the folder does not exist.

    Skipped and reported: invalid task folders, and tasks whose id or alias is taken by a shipped task or an earlier
    folder.
    """
    if not folder.exists():
        return UserTasks()
    folder = folder.resolve()
    taken = {task_folder.name: task_folder for task_folder in task_folders(shipped)}
    taken |= {alias: taken[task_id] for alias, task_id in task_names(shipped).current.items()}
    tasks: list[Task] = []
    problems: list[str] = []
    try:
        for task_folder in _folders(folder, problems):
            _take(task_folder, taken, tasks, problems)
    except OSError as error:
        problems.append(f"{error.filename or folder}: cannot be read: {error.strerror}")
    return UserTasks(tuple(tasks), tuple(problems))


def _take(task_folder: Path, taken: Mapping[str, Path], tasks: list[Task], problems: list[str]) -> None:
    others = {**taken, **{name: task.folder for task in tasks for name in (task.id, *task.aliases)}}

    def holder(name: str) -> str:
        return f"{others[name]}{', a bundled task' if name in taken else ''}"

    if task_folder.name in others:
        name = task_folder.name
        problems.append(f"{task_folder}: the id {name!r} is already used by {holder(name)}; rename your folder")
        return
    try:
        task = load_task(task_folder)
    except TaskError as error:
        problems.append(str(error))
        return
    for alias in task.aliases:
        if alias in others:
            problems.append(
                f"{task_folder}/task.toml: aliases: {alias!r} is already used by {holder(alias)}; remove it"
            )
            return
    tasks.append(task)


def _folders(folder: Path, problems: list[str]) -> list[Path]:
    """Return the task folders; any other file, except hidden ones, is reported as a problem."""
    folders: list[Path] = []
    for area in _entries(folder):
        if not area.is_dir():
            problems.append(f"{area}: unknown file; tasks are folders <area>/<slug>/")
            continue
        for path in _entries(area):
            if path.is_dir():
                folders.append(path)
            else:
                problems.append(
                    f"{path}: unknown file; tasks are folders <area>/<slug>/, and {area.name}/ is read as an area"
                )
    return folders


def _entries(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "__pycache__"))]
