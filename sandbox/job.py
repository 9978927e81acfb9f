"""The sandbox's inputs and outputs; a failure of the sandbox itself is an exception, never a result.

SandboxError                internal failure: nothing can be concluded about the program
├── EngineMissing           no Docker engine answers
├── ImageMissing            the engine has no such image, or the image lacks what the program needs
├── IsolationRefused        the created container differs from the request, or consent is missing
└── CellLost                the container or process disappeared, through no fault of the program
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

# Linux limits a single command-line argument to 128 KiB, and the prelude is prepended to it.
PROGRAM_BYTES_MAX = 112 * 2**10


class SandboxError(Exception):
    """The executor failed. `fix` tells the user what to do next; `kind` identifies the failure for programs."""

    def __init__(self, message: str, fix: str, kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.kind = kind or "sandbox"


class EngineMissing(SandboxError):
    """No Docker engine answers."""


class ImageMissing(SandboxError):
    """The image does not exist or is unusable."""


class IsolationRefused(SandboxError):
    """The program would have run with less isolation than requested."""


class CellLost(SandboxError):
    """The running cell disappeared."""


class Ending(StrEnum):
    """The ways a program can end."""

    EXITED = "exited"
    DEADLINE = "deadline"
    OUT_OF_MEMORY = "out_of_memory"
    RESULT_COMPLETE = "result_complete"
    RESULT_TOO_LARGE = "result_too_large"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class OwnInterpreters:
    """How a fork server runs a job that needs further interpreters, whose hash seeds are 1, 2, ..., `count`.

    `preparation`, `program` and `interpreter_program` replace the job's own preparation and program. The preparation
    runs once in the main interpreter and once in each further one. For each job, each interpreter then forks a child.
    The main interpreter's child runs `program`, in which `controls` is a list of sockets, one for each of the other
    children. The other children run `interpreter_program`, in which `control` is the child's end of its socket pair.
    """

    count: int
    preparation: str
    program: str
    interpreter_program: str


@dataclass(frozen=True)
class Job:
    """One run: a Python program, its standard input, and its limits.

    `program` is source text that the sandbox's own interpreter runs in isolated mode. It writes its result to standard
    output; everything on standard error is treated as log output. `is_complete` is called whenever no new result bytes
    arrive, to decide whether the result is complete. A program with a complete result is killed immediately, so it
    cannot append anything. Without `has_loopback`, the program cannot open any network socket. `wall_seconds` limits
    the time from the start to the first result bytes and, separately, the time after the first result bytes; if the
    job has a `preparation`, it has at least two minutes until the first result bytes.

    `preparation` is source text that runs before the program, in the same namespace. The preparation does not read the
    input. A fork server runs the preparation once for many jobs, so it must not contain anything that belongs to a
    single job. After the preparation, a fork server (and no other sandbox) runs `shared_preparation`: slow steps that
    not every job needs. If the preparation starts further interpreters, they are not child processes of a forked child;
    `own_interpreters` then describes how a fork server runs such a job.
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
    own_interpreters: OwnInterpreters | None = None
    is_complete: Callable[[bytes], bool] | None = None
    preparation: str = ""
    shared_preparation: str = ""

    @property
    def can_be_forked(self) -> bool:
        """Return whether a fork server can run the job: a forked child cannot use a GPU."""
        return self.device == "cpu"

    @property
    def whole_program(self) -> str:
        """Return the preparation followed by the program."""
        return f"{self.preparation}\n{self.program}" if self.preparation else self.program


@dataclass(frozen=True)
class Finished:
    """The raw output of a run, untrusted until it has been checked."""

    result: bytes
    log: bytes
    is_log_cut: bool
    ending: Ending
    exit_code: int | None
    wall_seconds: float
    isolation: str


def never() -> bool:
    """Return False; the default for jobs that are never canceled."""
    return False


def check_program(job: Job) -> None:
    """Raise ValueError if the program is too long for one command-line argument."""
    size_bytes = len(job.whole_program.encode())
    if size_bytes >= PROGRAM_BYTES_MAX:
        message = f"program: expected fewer than {PROGRAM_BYTES_MAX} bytes, got {size_bytes}; put data in the payload"
        raise ValueError(message)


def start_of(job: Job) -> Job:
    """Return the job without the fields that are needed only when it runs."""
    return replace(job, payload=b"", is_complete=None, wall_seconds=0.0, result_bytes_max=0)


class Cell(Protocol):
    """One started program that waits for its payload; it serves exactly one job."""

    def is_alive(self) -> bool:
        """Return whether the program is still waiting, and read its pending output."""
        ...

    def is_ready(self) -> bool:
        """Return whether the program is waiting and ready; it signals this with result bytes before the payload."""
        ...

    def memory_bytes(self) -> int:
        """Return the cell's current memory use in bytes; 0 if it cannot be measured."""
        ...

    def run(self, job: Job, is_cancelled: Callable[[], bool] = ...) -> Finished:
        """Send the payload and return the output; the deadline starts now, and the cell cannot be reused."""
        ...

    def close(self) -> None:
        """Kill any remaining processes and clean up; a second call does nothing."""
        ...


def serve_once(cell: Cell, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
    """Run the job in this cell and close it; an error from the run takes precedence over an error from closing."""
    try:
        finished = cell.run(job, is_cancelled)
    except BaseException:
        with suppress(SandboxError):
            cell.close()
        raise
    cell.close()
    return finished


class Sandbox(Protocol):
    """Runs one job in a fresh cell and cleans up afterwards."""

    name: str
    isolation: str

    def run(self, job: Job, is_cancelled: Callable[[], bool] = ...) -> Finished:
        """Run the job; raise SandboxError if the executor fails, but not if the program fails."""
        ...


class OpeningSandbox(Sandbox, Protocol):
    """A sandbox that can start programs before their payload is known."""

    def open(self, job: Job, wait_seconds: float = ...) -> Cell:
        """Start the job's program without its payload; it may wait up to `wait_seconds` before its deadline starts."""
        ...
