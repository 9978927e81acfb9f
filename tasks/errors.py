"""The errors for task folders and task ids; this module imports nothing from the project."""

from __future__ import annotations

from typing import ClassVar


class TaskError(Exception):
    """A task folder or a request is invalid; the message names the file and key, and `fix` is the user's next step."""

    kind: ClassVar[str] = "tasks"

    def __init__(self, message: str, fix: str = "Fix the task folder; interviewer check lists all problems.") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class UnknownTask(TaskError):
    """No task has the requested id."""
