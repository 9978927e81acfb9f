"""Internal errors during grading; an internal error is never a verdict on the candidate.

GradingError                nothing can be concluded about the submission; has kind, message and fix
├── ContentBroken           the task's own cases, reference or expected values are wrong
├── RunnerBroken            the sandbox ran, but our runner in it did not become ready
├── DeviceMissing           the sandbox has no such device
├── Cancelled               the user stopped the grading run
├── TorchMissing            torch is not installed, or its installation failed
└── WorkerDied              the worker process exited or broke its own protocol
"""

from __future__ import annotations


class GradingError(Exception):
    """An internal failure. `fix` tells the user what to do next; `kind` identifies the failure for programs."""

    def __init__(self, message: str, fix: str, kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.kind = kind or type(self).__name__


class ContentBroken(GradingError):
    """The task's own content is wrong."""


class RunnerBroken(GradingError):
    """Our runner did not become ready inside the sandbox."""


class DeviceMissing(GradingError):
    """The sandbox has no such device."""


class Cancelled(GradingError):
    """The user stopped the grading run."""


class TorchMissing(GradingError):
    """Torch is not installed, or its installation failed."""


class WorkerDied(GradingError):
    """The worker process exited or broke its own protocol."""
