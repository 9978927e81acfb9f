"""What a sandbox is asked to run and what comes back; a sandbox's own failure is an exception, never a result.

SandboxError                our side failed: nothing may be concluded about the program
├── EngineMissing           no Docker engine answers
├── ImageMissing            the engine has no such image, or it lacks what the program needs
├── IsolationRefused        the created container is not what was asked for, or consent is missing
└── CellLost                the container or process vanished for no reason of the program's
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

# Linux takes no single word above 128 KiB on a command line, and the prelude is put in front.
PROGRAM_BYTES_MAX = 112 * 2**10


class SandboxError(Exception):
    """Say that the executor failed. `fix` tells the user what to do next, `kind` names the failure for programs."""

    def __init__(self, message: str, fix: str, kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.kind = kind or "sandbox"


class EngineMissing(SandboxError):
    """Say that no engine answers."""


class ImageMissing(SandboxError):
    """Say that the image is not there or not usable."""


class IsolationRefused(SandboxError):
    """Say that the program would have run with less isolation than was asked for."""


class CellLost(SandboxError):
    """Say that the running cell vanished."""


class Ending(StrEnum):
    """Name how the program ended."""

    EXITED = "exited"
    DEADLINE = "deadline"
    OUT_OF_MEMORY = "out_of_memory"
    RESULT_COMPLETE = "result_complete"
    RESULT_TOO_LARGE = "result_too_large"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Job:
    """Hold one run: a Python program, what its standard input holds, and what it may use.

    `program` is source text that the sandbox's own interpreter runs in isolated mode; it writes its result to standard
    output, and everything on standard error is log. `is_complete` is asked after each chunk of result whether the
    result is whole; then the program is killed at once, so that nothing can be added. Without `has_loopback` it can
    open no network socket at all. `wall_seconds` holds for the start, until its first result bytes, and then anew for
    what follows.
    """

    program: str
    payload: bytes
    wall_seconds: float
    memory_bytes: int
    processes: int = 128
    result_bytes_max: int = 64 * 2**20
    log_bytes_max: int = 64 * 2**10
    device: str = "cpu"
    has_loopback: bool = False
    is_complete: Callable[[bytes], bool] | None = None


@dataclass(frozen=True)
class Finished:
    """Hold what came back: raw bytes, hostile until checked."""

    result: bytes
    log: bytes
    is_log_cut: bool
    ending: Ending
    exit_code: int | None
    wall_seconds: float
    isolation: str


def never() -> bool:
    """Return False: the job is not cancelled."""
    return False


def check_program(job: Job) -> None:
    """Raise ValueError when the program is too long for one command-line argument."""
    size_bytes = len(job.program.encode())
    if size_bytes >= PROGRAM_BYTES_MAX:
        message = f"program: expected fewer than {PROGRAM_BYTES_MAX} bytes, got {size_bytes}; put data in the payload"
        raise ValueError(message)


class Cell(Protocol):
    """Hold one started program that waits for its payload; it serves one job and never a second."""

    def is_alive(self) -> bool:
        """Return whether the program still waits, and take what it wrote meanwhile."""
        ...

    def is_ready(self) -> bool:
        """Return whether the program waits and has said so: its first result bytes come before the payload."""
        ...

    def memory_bytes(self) -> int:
        """Return what the cell holds in memory now, 0 where it cannot be measured."""
        ...

    def run(self, job: Job, is_cancelled: Callable[[], bool] = ...) -> Finished:
        """Send the payload and return what came back; the deadline counts from here, and the cell is used up."""
        ...

    def close(self) -> None:
        """Kill what still runs and leave nothing behind; a second call does nothing."""
        ...


def serve_once(cell: Cell, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
    """Run the job in this cell and close it; a failure of the run is told before one of the closing."""
    try:
        finished = cell.run(job, is_cancelled)
    except BaseException:
        with suppress(SandboxError):
            cell.close()
        raise
    cell.close()
    return finished


class Sandbox(Protocol):
    """Run one job in a fresh cell and leave nothing behind."""

    name: str
    isolation: str

    def run(self, job: Job, is_cancelled: Callable[[], bool] = ...) -> Finished:
        """Run the job; raise SandboxError when the executor, not the program, failed."""
        ...


class OpeningSandbox(Sandbox, Protocol):
    """Start programs ahead of their payload."""

    def open(self, job: Job, wait_seconds: float = ...) -> Cell:
        """Start the job's program without its payload; it may wait that long before its deadline begins to count."""
        ...
