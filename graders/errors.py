"""What can go wrong on our side of a grade; none of these is a verdict about the candidate.

GradingError                nothing may be concluded about the submission; carries kind, message and fix
├── ContentBroken           the task's own cases, reference or expected values are wrong
├── RunnerBroken            the sandbox ran, but our runner in it did not get ready
├── DeviceMissing           the sandbox has no such device
├── Cancelled               the user stopped the grade
└── WorkerDied              the worker process ended or broke its own protocol
"""

from __future__ import annotations


class GradingError(Exception):
    """Say that our side failed. `fix` tells the user what to do next; `kind` names the failure for programs."""

    def __init__(self, message: str, fix: str, kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.kind = kind or type(self).__name__


class ContentBroken(GradingError):
    """Say that a task's own content is wrong."""


class RunnerBroken(GradingError):
    """Say that our runner did not get ready inside the sandbox."""


class DeviceMissing(GradingError):
    """Say that the sandbox has no such device."""


class Cancelled(GradingError):
    """Say that the user stopped the grade."""


class WorkerDied(GradingError):
    """Say that the worker process ended or broke its own protocol."""
