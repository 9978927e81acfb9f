"""Opens sandboxes by name; keeps sandboxes ready, and shares containers in batches, only if the app asked for it.

A cell is a program that has been started in a sandbox and serves exactly one job. Warm cells are started in advance.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from graders.errors import GradingError
from graders.runner import RUNNER_PROGRAM, runner_preparation
from graders.shared_containers import IMPORTS
from sandbox.docker.cleanup import clean
from sandbox.docker.forkserver import ForkServer
from sandbox.docker.sandbox import DockerSandbox
from sandbox.job import Job, OpeningSandbox, Sandbox, SandboxError
from sandbox.pool import Pool
from sandbox.process.sandbox import ProcessSandbox
from tasks.task import Task

# The usual resource requirements of a single-process task. A task that needs more memory gets a separate kind of cell
# after its first submission: a cell's limits are set when it starts, and a job always gets exactly the limits it
# requested.
USUAL_JOB = Job(
    program=RUNNER_PROGRAM,
    payload=b"",
    wall_seconds=60.0,
    memory_bytes=2048 * 2**20,
    preparation=runner_preparation(),
    shared_preparation=IMPORTS,
)
TEND_SECONDS = 60.0


class Sandboxes:
    """Keeps the sandboxes that have been opened so far. At most one of them has warm cells, which wait for jobs."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Sandbox] = {}
        self._shared: dict[str, ForkServer] = {}
        self._pool: Pool | None = None
        self._pool_key = ("", "")
        self._early: Pool | None = None
        self._lock = threading.Lock()
        self._end = threading.Event()

    def find(self, kind: str, image: str) -> Sandbox:
        """Return the sandbox of this kind ("docker" or "process"); an empty image name means the default image.

        Raises GradingError if there is no such kind.
        """
        with self._lock:
            if (kind, image) not in self._found:
                self._found[kind, image] = open_sandbox(kind, image)
            return self._found[kind, image]

    def find_shared(self, image: str) -> Sandbox:
        """Return the sandbox whose jobs share Docker containers; an empty image name means the default image."""
        with self._lock:
            if image not in self._shared:
                self._shared[image] = ForkServer(image or None)
            return self._shared[image]

    def open_early(self, kind: str, image: str, task: Task) -> None:
        """Start a cell for the first submission, which is for this task, before the task's test cases are generated.

        Do nothing if the sandbox is already open, or if the task needs unusual limits or several ranks.
        """
        limits = task.limits
        fits_usual = (
            limits.memory_mib * 2**20 == USUAL_JOB.memory_bytes and limits.wall_seconds <= USUAL_JOB.wall_seconds
        )
        has_ranks = "world" in task.cases_source
        with self._lock, suppress(GradingError):  # the error is reported when a submission is graded
            if fits_usual and not has_ranks and (kind, image) not in self._found:
                self._early = self._found[kind, image] = Pool(open_sandbox(kind, image), size=1)
                self._early.warm(USUAL_JOB)

    def warm(self, kind: str, image: str) -> None:
        """Keep warm cells only in this sandbox from now on. Raises GradingError if there is no such kind."""
        with self._lock:
            if self._pool is not None and self._pool_key == (kind, image):
                self._pool.refill()
                return
            pool = Pool(open_sandbox(kind, image))
            if self._pool is None:
                threading.Thread(target=self._tend, daemon=True).start()
            else:  # a client that uses a different sandbox has taken over this worker
                self._pool.close()
                del self._found[self._pool_key]
            self._found[kind, image] = self._pool = pool
            self._pool_key = kind, image
            pool.warm(USUAL_JOB)

    @property
    def is_warm(self) -> bool:
        """Return whether the app asked to keep cells waiting for jobs."""
        return self._pool is not None

    def prewarm(self, kind: Job) -> None:
        """Keep cells waiting for jobs of this kind, and replace used cells; called while nothing is being graded."""
        if self._pool is not None:
            self._pool.warm(kind)

    def memory_bytes(self) -> list[int]:
        """Return the memory use of each ready warm cell in bytes."""
        if self._pool is None:
            return []
        with suppress(SandboxError):
            return self._pool.memory_bytes()
        return []

    def close(self) -> None:
        """Remove all cells, including those left behind by an app that crashed."""
        self._end.set()
        for server in self._shared.values():
            server.close()
        if self._early is not None:
            self._early.close()
        if self._pool is not None:
            self._pool.close()
            self._clean()

    def _tend(self) -> None:
        """Once a minute, close cells that have waited too long for a job, and remove what crashed apps left behind."""
        while not self._end.wait(TEND_SECONDS):
            assert self._pool is not None
            self._pool.expire()
            self._clean()

    def _clean(self) -> None:
        if self._pool_key[0] == "docker":
            with suppress(SandboxError):
                clean()


def open_sandbox(kind: str, image: str) -> OpeningSandbox:
    """Return a new sandbox of the given kind. Raises GradingError if there is no such kind."""
    if kind == "process":
        return ProcessSandbox()
    if kind == "docker":
        return DockerSandbox(image) if image else DockerSandbox()
    raise GradingError(f"unknown sandbox {kind!r}", "Choose docker or process.", "UnknownSandbox")
