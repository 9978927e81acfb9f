"""What can be wrong with a task folder or a request for a task; nothing here imports anything."""

from __future__ import annotations

from typing import ClassVar


class TaskError(Exception):
    """Report a wrong task folder or request; the message names the file and the key, `fix` what to do next."""

    kind: ClassVar[str] = "tasks"

    def __init__(
        self, message: str, fix: str = "Mend the task folder; interviewer check lists every complaint."
    ) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class UnknownTask(TaskError):
    """Report that no task has the requested id."""
