"""Keeps started cells ready for one job each; a job never waits for the pool longer than a cold run would take.

All waiting cells were started for the latest kind of job. The pool opens cells when its owner reports being idle, never
while a job runs, and closes cells that have waited too long. A cell that has delivered its whole result is removed once
the pool's owner is idle, or after a tenth of a second at most. Removing it earlier would slow down the comparison of
the result with the reference, which the user is waiting for.

In Docker, a GPU cell has exclusive use of its GPU. At most one GPU cell waits for a job at a time, and it is closed
after a shorter wait than a CPU cell. A GPU job first waits until all other cells of this pool have released their GPUs.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from sandbox.job import Cell, Ending, Finished, Job, OpeningSandbox, SandboxError, never, start_of

# This is longer than most people take between two submissions; a waiting cell costs nothing except memory.
IDLE_SECONDS = 1200.0
# While a cell for a GPU is waiting, no other program of this project can use that GPU.
GPU_IDLE_SECONDS = 300.0
REMOVAL_SECONDS_MAX = 0.1
TWO_CELLS_CORES = 4
TWO_CELLS_BYTES = 8 * 2**30


@dataclass(frozen=True)
class Waiting:
    """A waiting cell, the kind of job it was opened for, and the time when it was opened, in clock seconds."""

    cell: Cell
    kind: Job
    opened_at: float


class Pool:
    """Runs each job in a single-use cell started in advance, or, if none is waiting, in a new cell (a cold run)."""

    def __init__(
        self, sandbox: OpeningSandbox, size: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = sandbox.name
        self.isolation = sandbox.isolation
        self._sandbox = sandbox
        self._size = best_size() if size is None else size
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[Waiting] = []
        self._kind: Job | None = None
        self._opening: tuple[Job, Future[None]] | None = None
        self._running = 0
        self._is_closed = False
        self._is_idle = threading.Event()
        # Use a single thread, so that the cell of a finished job is removed before the next cell takes up memory.
        self._background = ThreadPoolExecutor(1, "sandbox-pool")

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in a waiting cell, or in a new cell if none is waiting; the cell is removed in the background.

        Raises: the same errors as the sandbox's own `run`.
        """
        with self._lock:
            self._running += 1
            self._is_idle.clear()
            self._set_kind(job)
        try:
            cell = self._take(job) or self._open_cold(job)
            removal_seconds = 0.0
            try:
                finished = cell.run(job, is_cancelled)
                if finished.ending is Ending.RESULT_COMPLETE:
                    removal_seconds = REMOVAL_SECONDS_MAX
                return finished
            finally:
                self._background.submit(self._close_used, cell, removal_seconds)
        finally:
            with self._lock:
                self._running -= 1

    def warm(self, job: Job) -> None:
        """In the background, open sandbox cells that wait for jobs like this one."""
        with self._lock:
            self._set_kind(job)
        self.refill()

    def refill(self) -> None:
        """In the background, open the cells that the pool still lacks, for jobs like the latest one."""
        with self._lock:
            self._is_idle.set()
            if self._kind is not None and not self._is_closed:
                self._opening = self._kind, self._background.submit(self._open_one, self._kind)

    def memory_bytes(self) -> list[int]:
        """Return the memory use of each waiting cell that has finished starting, as measured by its sandbox."""
        with self._lock:
            return [entry.cell.memory_bytes() for entry in self._waiting if entry.cell.is_ready()]

    def wait_idle(self) -> None:
        """Wait until the background work is done: opening cells for a refill, and closing used cells."""
        is_settled = False
        while not is_settled:
            opening = self._opening
            self._background.submit(lambda: None).result()
            is_settled = self._opening is opening

    def expire(self) -> None:
        """Close the cells that have waited too long or died while waiting."""
        with self._lock:
            now = self._clock()
            over = [
                entry
                for entry in self._waiting
                if now - entry.opened_at >= _idle_seconds(entry.kind) or not entry.cell.is_alive()
            ]
            cells = self._forget(over)
        for cell in cells:
            close_quietly(cell)

    def close(self) -> None:
        """Kill every waiting cell and clean up; a later run has to open its own cell."""
        with self._lock:
            self._is_closed = True
            self._is_idle.set()
        self._background.shutdown()
        with self._lock:
            over = self._forget(self._waiting)
        for cell in over:
            close_quietly(cell)

    def _open_cold(self, job: Job) -> Cell:
        """Open a new cell for this job; for a GPU job, first make this pool's other cells release their GPUs."""
        if job.device != "cpu":
            self._background.submit(lambda: None).result()
            with self._lock:
                over = self._forget([entry for entry in self._waiting if entry.kind.device != "cpu"])
            for cell in over:
                close_quietly(cell)
        return self._sandbox.open(job)

    def _close_used(self, cell: Cell, seconds: float) -> None:
        """Close a used cell once the owner has processed its output, or after `seconds`."""
        self._is_idle.wait(seconds)
        close_quietly(cell)

    def _take(self, job: Job) -> Cell | None:
        """Return a live cell for the job; wait for a cell that is already being opened, because that is faster."""
        cell = self._take_waiting(job)
        if cell is None and self._opening is not None:
            kind, opening = self._opening
            if not opening.cancel() and fits(kind, job):
                opening.result()
                cell = self._take_waiting(job)
        return cell

    def _take_waiting(self, job: Job) -> Cell | None:
        while True:
            with self._lock:
                cells = self._forget([entry for entry in self._waiting if fits(entry.kind, job)][:1])
            if not cells or cells[0].is_alive():
                return cells[0] if cells else None
            self._background.submit(close_quietly, cells[0])

    def _open_one(self, kind: Job) -> None:
        """Open one more cell and schedule the next one, unless a job has started running in the meantime."""
        with self._lock:
            others = self._forget([entry for entry in self._waiting if not fits(entry.kind, kind)])
            size = self._size if kind.device == "cpu" else 1
            is_wanted = len(self._waiting) < size and not self._running and not self._is_closed
        for cell in others:
            close_quietly(cell)
        # If opening a cell fails here, the next run opens its own cell and reports the error.
        with suppress(SandboxError):
            if is_wanted:
                cell = self._sandbox.open(kind, IDLE_SECONDS)
                with self._lock:
                    self._waiting.append(Waiting(cell, kind, self._clock()))
                self.refill()

    def _set_kind(self, job: Job) -> None:
        """Remember the kind of this job, so that later cells are opened for it; the caller holds the lock."""
        if self._kind is None or not fits(self._kind, job):
            self._kind = replace(job, payload=b"", is_complete=None)

    def _forget(self, gone: list[Waiting]) -> list[Cell]:
        """Remove these entries from the waiting list and return their cells; the caller holds the lock."""
        self._waiting = [entry for entry in self._waiting if entry not in gone]
        return [entry.cell for entry in gone]


def fits(kind: Job, job: Job) -> bool:
    """Return whether a cell opened for `kind` can serve `job`: same start settings, and a sufficient time limit."""
    return start_of(kind) == start_of(job) and kind.wall_seconds >= job.wall_seconds


def _idle_seconds(kind: Job) -> float:
    """Return how long a cell may wait for a job of this kind."""
    return IDLE_SECONDS if kind.device == "cpu" else GPU_IDLE_SECONDS


def best_size() -> int:
    """Return how many cells this machine should keep waiting: each uses about 150 MiB, and a core while it starts."""
    has_room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= TWO_CELLS_BYTES
    return 2 if has_room and (os.cpu_count() or 1) >= TWO_CELLS_CORES else 1


def close_quietly(cell: Cell) -> None:
    """Close a cell from which no result is needed anymore; ignore errors, because the reaper removes it later."""
    with suppress(SandboxError):
        cell.close()
