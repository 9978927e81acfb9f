"""Moves a job's input into a cell and its output back; no program can block the transfer past the deadline.

Every sandbox uses the same loop over non-blocking file descriptors. A thread per stream would need its own locks, and a
blocking write of the payload would hang forever on a program that never reads.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Mapping

from sandbox.isolation.prelude import split_report
from sandbox.job import Ending, Finished, Job, never

CHUNK_BYTES = 2**20
# The minimum time allowed for the job's own preparation, before any submitted code runs. On a busy machine, importing
# torch in several interpreters can take longer than the job's own limit.
START_SECONDS = 120.0
TICK_SECONDS = 0.05
# How long the log must stay unchanged before it counts as complete; the wait is shorter if the program has logged
# nothing so far.
QUIET_SECONDS = 0.005
SILENT_SECONDS = 0.001
CUT_MARK = b"\n[... cut ...]\n"


class CappedLog:
    """Keeps the first and last parts of a possibly endless log, in at most `bytes_max` bytes."""

    def __init__(self, bytes_max: int) -> None:
        self._head_max = bytes_max // 2
        self._tail_max = max(bytes_max - self._head_max - len(CUT_MARK), 0)
        self._bytes_max = bytes_max
        self._whole = bytearray()
        self._tail = bytearray()
        self._seen_bytes = 0

    @property
    def is_cut(self) -> bool:
        """Return whether any part of the log was dropped."""
        return self._seen_bytes > self._bytes_max

    def take(self, chunk: bytes) -> None:
        """Add a chunk; the part between head and tail is dropped."""
        self._seen_bytes += len(chunk)
        self._whole += chunk[: self._bytes_max - len(self._whole)]
        self._tail += chunk[-self._tail_max :] if self._tail_max else b""
        # Trim only once the tail is longer than twice `_tail_max`; trimming on every chunk would copy the tail for each
        # printed line.
        if len(self._tail) > 2 * self._tail_max:
            del self._tail[: -self._tail_max]

    def bytes(self) -> bytes:
        """Return the kept parts, with a marker where text was dropped."""
        if not self.is_cut:
            return bytes(self._whole)
        tail = self._tail[-self._tail_max :] if self._tail_max else b""
        return bytes(self._whole[: self._head_max] + CUT_MARK + tail)[: self._bytes_max]

    @property
    def seen_bytes(self) -> int:
        """Return the number of bytes received, including dropped bytes."""
        return self._seen_bytes


class OutputCollector:
    """Collects a cell's result and log within the job's limits, and decides when the cell must end."""

    def __init__(self, job: Job) -> None:
        self.result = bytearray()
        self.log = CappedLog(job.log_bytes_max)
        self.ending: Ending | None = None
        self.is_unasked = False
        self.begin(job, never)

    def begin(self, job: Job, is_cancelled: Callable[[], bool]) -> None:
        """Start the deadline's clock; output that the program wrote while waiting is treated as the job's output."""
        self._job = job
        self._is_starting = not self.result
        self._is_cancelled = is_cancelled
        self.is_unasked = job.is_complete is not None and bool(self.result)
        self._said_before = self.log.seen_bytes
        self._started_at = self._sent_at = self._last_result_at = time.monotonic()

    @property
    def left_seconds(self) -> float:
        """Return the seconds until the deadline, never negative."""
        seconds = self._job.wall_seconds
        if self._is_starting and self._job.preparation:
            seconds = max(seconds, START_SECONDS)
        return max(self._started_at + seconds - time.monotonic(), 0.0)

    @property
    def wait_seconds(self) -> float:
        """Return how long the loop may sleep, which is 0 if a result still has to be checked for completeness."""
        return 0.0 if self.is_unasked else min(self.left_seconds, TICK_SECONDS)

    @property
    def quiet_seconds(self) -> float:
        """Return how long to wait for the rest of the log."""
        return QUIET_SECONDS if self.log.seen_bytes > self._said_before else SILENT_SECONDS

    def mark_sent(self) -> None:
        """Start the clock for the reported time; called when the whole payload has been written."""
        self._sent_at = time.monotonic()

    def take_result(self, chunk: bytes) -> None:
        """Add result bytes; ignore them once it is known how the job ended."""
        if self.ending is not None:
            return
        self._last_result_at = time.monotonic()
        if self._is_starting:
            # The program's startup does not count toward the job's time: a slow import of torch must not fail a correct
            # program.
            self._is_starting = False
            self._started_at = self._last_result_at
        self.is_unasked = self._job.is_complete is not None
        self.result += chunk
        if len(self.result) > self._job.result_bytes_max:
            del self.result[self._job.result_bytes_max :]
            self.ending = Ending.RESULT_TOO_LARGE

    def take_log(self, chunk: bytes) -> None:
        """Add log bytes; bytes past the limit are read and dropped, so the writer never blocks."""
        self.log.take(chunk)

    def check_result(self) -> None:
        """Check whether the result is complete; called only when output pauses, because each call copies the result."""
        self.is_unasked = False
        if self.ending is None and self._job.is_complete is not None and self._job.is_complete(bytes(self.result)):
            self.ending = Ending.RESULT_COMPLETE

    def check_deadline(self) -> None:
        """End the cell if the user has canceled or the deadline has passed."""
        if self.ending is None and self._is_cancelled():
            self.ending = Ending.CANCELLED
        if self.ending is None and self.left_seconds == 0.0:
            self.ending = Ending.DEADLINE

    def finished(self, ending: Ending, exit_code: int | None, isolation: str) -> Finished:
        """Return all output, with the seconds from writing the payload to the last result byte.

        The part of the log that reports the active restrictions is moved to `isolation`.
        """
        restrictions, log = split_report(self.log.bytes())
        return Finished(
            result=bytes(self.result),
            log=log,
            is_log_cut=self.log.is_cut,
            ending=ending,
            exit_code=exit_code,
            wall_seconds=max(self._last_result_at - self._sent_at, 0.0),
            isolation=f"{isolation} Inside: {restrictions}." if restrictions else isolation,
        )


class PayloadWriter:
    """Writes the payload piece by piece; `close` then closes the program's standard input."""

    def __init__(self, descriptor: int, payload: bytes, close: Callable[[], None]) -> None:
        self.descriptor = descriptor
        self.close = close
        self._left = memoryview(payload)

    def write_some(self) -> bool:
        """Write as much as possible without blocking; return True if everything is written or the reader has closed."""
        try:
            while self._left:
                self._left = self._left[os.write(self.descriptor, self._left[:CHUNK_BYTES]) :]
        except BlockingIOError:
            return False
        except OSError:
            self._left = self._left[:0]
        return True


def pump(
    collector: OutputCollector, readers: Mapping[int, Callable[[bytes], None]], end: int, feed: PayloadWriter
) -> None:
    """Send the payload and read the result and the log until descriptor `end` closes or the job's end is known."""
    with selectors.DefaultSelector() as selector:
        for descriptor, take in readers.items():
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ, take)
        os.set_blocking(feed.descriptor, False)
        selector.register(feed.descriptor, selectors.EVENT_WRITE)
        while collector.ending is None and end in selector.get_map():
            count = len(collector.result)
            for key, events in selector.select(collector.wait_seconds):
                if events & selectors.EVENT_WRITE and feed.write_some():
                    selector.unregister(feed.descriptor)
                    # Keep this order: otherwise, a program that waits for the end of its input could start before the
                    # clock does.
                    collector.mark_sent()
                    feed.close()
                elif events & selectors.EVENT_READ:
                    _read_some(selector, key)
            if collector.is_unasked and len(collector.result) == count:
                collector.check_result()
            collector.check_deadline()
        if feed.descriptor in selector.get_map():
            selector.unregister(feed.descriptor)
        _drain(selector, collector.quiet_seconds)
    collector.check_result()


def listen(collector: OutputCollector, readers: Mapping[int, Callable[[bytes], None]]) -> bool:
    """Read the pending output of a waiting program, and return whether all its streams are still open."""
    with selectors.DefaultSelector() as selector:
        for descriptor, take in readers.items():
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ, take)
        while collector.ending is None and (ready := selector.select(0)):
            for key, _ in ready:
                _read_some(selector, key)
        return collector.ending is None and len(selector.get_map()) == len(readers)


def _read_some(selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    """Forward the available data from one descriptor; unregister the descriptor at end of file."""
    try:
        chunk = os.read(key.fd, CHUNK_BYTES)
    except BlockingIOError:
        return
    except OSError:
        chunk = b""
    if chunk:
        key.data(chunk)
    else:
        selector.unregister(key.fd)


def _drain(selector: selectors.BaseSelector, quiet_seconds: float) -> None:
    """Read remaining output for a limited time: log lines may follow the result, and the output may never end."""
    until = time.monotonic() + 10 * QUIET_SECONDS
    while selector.get_map() and time.monotonic() < until:
        ready = selector.select(quiet_seconds)
        if not ready:
            return
        for key, _ in ready:
            _read_some(selector, key)
        quiet_seconds = QUIET_SECONDS
