"""Grades many programs, several at a time, in cells that were opened in advance; each cell still serves one job."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from sandbox.docker.forkserver import ForkServer
from sandbox.job import Cell, Finished, Job, OpeningSandbox, Sandbox, never

CELLS = 4
AT_ONCE = 3
WAIT_SECONDS = 300.0
# On a busy machine, a cell whose ranks have interpreters of their own takes more than a minute to start.
READY_SECONDS = 100.0
CHECK_SECONDS = 0.02


class Row:
    """Keeps cells of each kind of job, opened before they are requested."""

    def __init__(self, sandbox: OpeningSandbox) -> None:
        self.sandbox = sandbox
        # Grading uses torch's global settings, so only one thread computes at a time; cells run in parallel.
        self.turn = threading.Lock()
        self._threads = ThreadPoolExecutor(CELLS)
        self._cells: dict[tuple[str, int, bool], deque[Future[Cell]]] = {}
        self._closing: list[Future[None]] = []

    def take(self, job: Job, more: int) -> Cell:
        """Return a waiting cell that is ready; `more` cells of its kind will be requested, so open some of them."""
        with self.turn:
            row = self._cells.setdefault((job.whole_program, job.memory_bytes, job.has_loopback), deque())
            template = replace(job, payload=b"", wall_seconds=READY_SECONDS, is_complete=None)
            while len(row) < 1 + min(CELLS, more):
                row.append(self._threads.submit(self.sandbox.open, template, WAIT_SECONDS))
            opening = row.popleft()
        cell = opening.result()
        until = time.monotonic() + READY_SECONDS
        while not cell.is_ready() and time.monotonic() < until:
            time.sleep(CHECK_SECONDS)
        return cell

    def put_away(self, cell: Cell) -> None:
        """Close a cell in the background."""
        self._closing.append(self._threads.submit(cell.close))

    def close(self) -> None:
        """Close every cell; an error while closing one is raised here."""
        for row in self._cells.values():
            for cell in row:
                self.put_away(cell.result())
        for closing in self._closing:
            closing.result()
        if isinstance(self.sandbox, ForkServer):
            self.sandbox.close()
        self._threads.shutdown()


class SharedCell:
    """Runs one job in a sandbox whose jobs share containers, which cannot be opened in advance."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def is_alive(self) -> bool:
        """Return True: a cell costs nothing until it runs."""
        return True

    is_ready = is_alive

    def memory_bytes(self) -> int:
        """Return 0: a cell costs nothing until it runs."""
        return 0

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Return the result; jobs of the same sandbox wait for each other."""
        return self._sandbox.run(job, is_cancelled)

    def close(self) -> None:
        """Do nothing: the sandbox has removed the job."""


class SharedContainers(ForkServer):
    """Hands out jobs in shared containers as cells."""

    def open(self, job: Job, wait_seconds: float = 0.0) -> Cell:
        """Return a cell that runs a job of this kind."""
        return SharedCell(self)


class OneCell:
    """Run one job in the next cell, and record how long that took; `more` jobs of its kind will follow."""

    def __init__(self, row: Row, more: int = 0) -> None:
        self.name, self.isolation = row.sandbox.name, row.sandbox.isolation
        self.took_seconds = 0.0
        self._row = row
        self._more = more

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Return the result; in the meantime, another thread may compute."""
        with self._away():
            cell = self._row.take(job, self._more)
            began = time.monotonic()
            try:
                return cell.run(job, is_cancelled)
            finally:
                self.took_seconds = time.monotonic() - began
                self._row.put_away(cell)

    @contextmanager
    def _away(self) -> Iterator[None]:
        self._row.turn.release()
        try:
            yield
        finally:
            self._row.turn.acquire()
