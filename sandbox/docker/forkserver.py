"""Runs many jobs in one container: one process runs their common preparation, then forks a child per job.

The code that runs in the container is `sandbox/isolation/forking.py`; docs/decisions/028 says what jobs share and how
they are isolated. If anything unexpected happens, the container is removed. If removing the container leaves a job
without a result, the job is rerun in its own container, and the result of the rerun is used.
"""

from __future__ import annotations

import os
import random
import secrets
import select
import threading
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sandbox.docker.cell import Attachment, Frames
from sandbox.docker.sandbox import DockerSandbox
from sandbox.docker.spec import OWN, WRITABLE, shared_container_config
from sandbox.isolation.forking import READY, REPORT_END, SIZE, TOKEN_BYTES, UNREADY
from sandbox.isolation.prelude import allowed_paths
from sandbox.isolation.seccomp import ARCHITECTURES, kernel_filter
from sandbox.job import Ending, Finished, Job, SandboxError, check_program, never, start_of
from sandbox.stream import CHUNK_BYTES, START_SECONDS, TICK_SECONDS, OutputCollector, PayloadWriter, pump

ISOLATION = (
    "shared container, separate users: a Docker container for a batch, in which each run has its own user and temp "
    "folder and is killed with everything it started before the next run. No network, no mounts, read-only, "
    "no capabilities, limits on memory, processes, cores and time. It shares this machine's kernel."
)
# A container is replaced after this many jobs, and in any case before the reaper considers it abandoned.
JOBS_MAX = 1000
# More containers would only help if several jobs ran at the same time.
CONTAINERS = 2
# Each waiting container uses a few hundred megabytes, and more if it has interpreters of its own.
KINDS_MAX = 2
LIFE_SECONDS = 1800.0
# User ids below 65536 also exist in the containers of a Docker engine that remaps user ids. The kernel counts some
# resources per user id across the whole machine; with this many id ranges, two containers rarely share a range.
FIRST_USER, USER_RANGES = 20_000, 40
# Killing a job takes milliseconds; a parent that takes longer than this has lost control of the container.
REPORT_SECONDS = 5.0
KILLED = 128 + 9
START = """
__inside__ = {{}}, {{}}
exec({landlock!r}, __inside__[0])
exec({forking!r}, __inside__[1])
__orders__, __interpreters__ = __inside__[1]["start_interpreters"]({count})
{preparation}
def __restrict__(inside=__inside__[0]):
    import os
    steps = {filters!r}.get(os.uname().machine, "")
    return inside["restrict"](*{paths!r}, steps, signals_outside={count} > 0)[1]
{serve}
"""
SERVE = """
__inside__[1]["serve"]({first_user}, {jobs}, {processes}, __restrict__, {has_ranks})
del __inside__, __restrict__, __orders__, __interpreters__
{program}
"""
SERVE_WITH_INTERPRETERS = """
if __orders__:
    control = __inside__[1]["serve_as_interpreter"](__orders__, {processes}, __restrict__)
else:
    controls = __inside__[1]["serve"]({first_user}, {jobs}, {processes}, __restrict__, {has_ranks}, __interpreters__)
del __inside__, __restrict__, __interpreters__
exec({interpreter_program!r} if __orders__ else {program!r})
"""


class NoAnswer(Exception):
    """The shared container did not report a result for a job; nothing can be concluded about the job's program.

    `exit_code` is the exit code that the job's parent process reported, or None if there was no report.
    """

    def __init__(self, exit_code: int | None) -> None:
        super().__init__()
        self.exit_code = exit_code


class Turn:
    """Separates the output of one job, a child process, from the reports of its parent process.

    Each report begins with the job's token. A child does not know its token, and the parent writes the token only after
    the child is dead, so no output of the job can follow the token.
    """

    def __init__(self, collector: OutputCollector, token: bytes) -> None:
        self.exit_code: int | None = None
        self.is_clean = False
        self.is_over = False
        self._collector = collector
        self._token = token
        self._log = b""
        self._late = bytearray()

    def take_result(self, chunk: bytes) -> None:
        """Add bytes of the result stream; the job's token arrives there only after it is known how the job ended."""
        if self._collector.ending is None:
            self._collector.take_result(chunk)
            return
        self._late += chunk
        at = self._late.find(self._token)
        self.is_over = at >= 0
        if self.is_over:
            del self._late[at:]
        elif self._collector.ending is not Ending.EXITED:
            del self._late[:-TOKEN_BYTES]

    def take_log(self, chunk: bytes) -> None:
        """Add log bytes, but hold back bytes that may be the beginning of the report; detect a complete report."""
        self._log += chunk
        at = self._log.find(self._token)
        if at < 0:
            kept = _overlap(self._log, self._token)
            self._collector.take_log(self._log[: len(self._log) - kept])
            self._log = self._log[len(self._log) - kept :]
        elif len(self._log) >= at + TOKEN_BYTES + REPORT_END.size and self.exit_code is None:
            self._collector.take_log(self._log[:at])
            self.exit_code, self.is_clean = REPORT_END.unpack_from(self._log, at + TOKEN_BYTES)
            self._log = self._token
            # If the child was stopped, `ending` has already been set.
            self._collector.ending = self._collector.ending or Ending.EXITED

    def flush_log(self) -> None:
        """Add the log bytes held back as a possible beginning of the report, which can no longer arrive in time."""
        if self.exit_code is None:
            self._collector.take_log(self._log)
            self._log = b""

    @property
    def is_reported(self) -> bool:
        """Return whether the parent's reports have arrived on both streams, so that no more job output can follow."""
        return self.is_over and self.exit_code is not None

    def finish_result(self, job: Job) -> None:
        """Add the result bytes that arrived after the parent had reported that the child exited on its own."""
        collector = self._collector
        collector.result += self._late
        if len(collector.result) > job.result_bytes_max:
            del collector.result[job.result_bytes_max :]
            collector.ending = Ending.RESULT_TOO_LARGE
        elif job.is_complete is not None and job.is_complete(bytes(collector.result)):
            collector.ending = Ending.RESULT_COMPLETE


def _overlap(data: bytes, token: bytes) -> int:
    """Return how many bytes at the end of the data may be the beginning of the token."""
    return next((size for size in range(min(len(data), len(token)), 0, -1) if data.endswith(token[:size])), 0)


class SharedContainer:
    """One container from its start to its removal; it runs one job at a time."""

    def __init__(self, attachment: Attachment, kind: Job) -> None:
        self.kind = kind
        self._attachment = attachment
        self._started = OutputCollector(replace(kind, result_bytes_max=len(READY)))
        self._frames = Frames(self._started)
        self._turn: Turn | None = None
        self._jobs_left = JOBS_MAX
        self._until = time.monotonic() + LIFE_SECONDS

    def wait_until_ready(self, is_unwanted: Callable[[], bool]) -> bool:
        """Wait until the preparation is done; return False if it fails, takes too long or is no longer wanted."""
        return self._read_until(lambda: bytes(self._started.result) == READY, START_SECONDS, is_unwanted)

    def can_run(self, job: Job) -> bool:
        """Return whether the previous job has been completely cleaned up and the container can run this job."""
        is_young = self._jobs_left > 0 and time.monotonic() + 2 * job.wall_seconds < self._until
        if not is_young or start_of(job) != self.kind:
            return False
        return self._turn is None or (self._wait_for_reports() and self._turn.is_clean)

    def run(self, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
        """Run a job in its own child process and return its output; `can_run` must be true.

        Raises: NoAnswer.
        """
        token = secrets.token_bytes(TOKEN_BYTES)
        collector = OutputCollector(job)
        turn = self._turn = self._frames.taker = Turn(collector, token)
        self._jobs_left -= 1
        collector.begin(job, is_cancelled)
        sent = token + SIZE.pack(len(job.payload)) + job.payload
        is_sent = threading.Event()
        feed = PayloadWriter(self._attachment.sender, sent, is_sent.set)
        pump(collector, {self._attachment.stream: self._frames.take}, self._attachment.stream, feed)
        if collector.ending is None:
            raise NoAnswer(None)
        if not is_sent.is_set():
            # Otherwise, the parent would mistake the next bytes for the rest of the payload.
            self._jobs_left = 0
        with suppress(OSError):  # if the write fails, the reports do not arrive
            os.write(self._attachment.sender, b"s")
        if collector.ending is not Ending.EXITED or turn.exit_code is None:
            turn.flush_log()
            return collector.finished(collector.ending, None, ISOLATION)
        # The child exited on its own. This exit code does not prove that the kernel killed the child for lack of
        # memory; only a run in a separate container can show that. A process that starts ranks is ours and exits with 0
        # unless something interferes with it.
        is_killed = turn.exit_code == KILLED or (job.has_loopback and turn.exit_code != 0)
        if not self._wait_for_reports() or turn.exit_code < 0 or is_killed:
            raise NoAnswer(turn.exit_code)
        turn.finish_result(job)
        is_exit = collector.ending is Ending.EXITED
        return collector.finished(collector.ending, turn.exit_code if is_exit else None, ISOLATION)

    def close(self) -> None:
        """Remove the container with everything in it."""
        self._attachment.close()

    def _wait_for_reports(self) -> bool:
        """Wait until all processes of the latest job are dead; return whether the parent reported this in time."""
        turn = self._turn
        assert turn is not None
        return self._read_until(lambda: turn.is_reported, REPORT_SECONDS)

    def _read_until(self, is_done: Callable[[], bool], seconds: float, is_unwanted: Callable[[], bool] = never) -> bool:
        """Read the container's output until `is_done` is true.

        Return False if the output ends, time runs out or the output is no longer wanted.
        """
        stream, until = self._attachment.stream, time.monotonic() + seconds
        while not is_done():
            left = until - time.monotonic()
            if left <= 0 or is_unwanted():
                return False
            try:
                if not select.select([stream], [], [], min(left, TICK_SECONDS))[0]:
                    continue
                chunk = os.read(stream, CHUNK_BYTES)
            except OSError:
                return False
            if not chunk:
                return False
            self._frames.take(chunk)
        return True


class ForkServer:
    """Runs jobs in shared containers, except that a job that needs a GPU runs in its own container.

    One job runs at a time. The containers of the most recently used kinds of jobs are kept.
    """

    name = "docker"
    isolation = ISOLATION

    def __init__(self, image: str | None = None, size: int = CONTAINERS) -> None:
        self.container_count = 0
        self._alone = DockerSandbox(image)
        self._size = size
        self._by_kind: dict[Job, _Alternating] = {}
        self._users = random.randrange(USER_RANGES)
        self._lock = threading.Lock()
        self._is_refused = False
        self._background = ThreadPoolExecutor(1, "fork-server")

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in its own child process or, if necessary, in its own container.

        Raises: the same errors as `DockerSandbox.run`.
        """
        with self._lock:
            if job.can_be_forked and not self._is_refused:
                try:
                    return self._containers_for(job).run(job, is_cancelled)
                except NoAnswer as answer:
                    # If the Docker engine remaps user ids, the children's ids may not exist, and no child ever starts.
                    self._is_refused = answer.exit_code == UNREADY
        return self._alone.run(job, is_cancelled)

    def close(self) -> None:
        """Remove the shared containers."""
        with self._lock:
            for containers in self._by_kind.values():
                containers.close()
            self._by_kind.clear()
            self._background.shutdown()

    def _containers_for(self, job: Job) -> _Alternating:
        """Return the containers for jobs like this one; remove those of the kind that was used least recently."""
        kind = start_of(job)
        containers = self._by_kind.pop(kind, None)
        if containers is None:
            if len(self._by_kind) == KINDS_MAX:
                self._by_kind.pop(next(iter(self._by_kind))).close()
            # Starting the interpreters of another container takes more time than alternating between two saves.
            size = 1 if job.own_interpreters else self._size
            containers = _Alternating(size, self._open, self._background)
        self._by_kind[kind] = containers
        return containers

    def _open(self, kind: Job, is_unwanted: Callable[[], bool]) -> SharedContainer:
        """Return a new container for jobs of this kind, once it is ready.

        Raises NoAnswer if the container does not become ready or is no longer wanted.
        """
        self._users = (self._users + 1) % USER_RANGES
        self.container_count += 1
        program = server_program(kind, FIRST_USER + self._users * JOBS_MAX)
        attachment = self._alone.attach(
            kind,
            lambda image, labels, cores, _: shared_container_config(kind, program, image, labels, cores),
            LIFE_SECONDS,
        )
        container = SharedContainer(attachment, kind)
        if not container.wait_until_ready(is_unwanted):
            close_quietly(container)
            raise NoAnswer(None if is_unwanted() else UNREADY)
        return container


class _Alternating:
    """Containers for one kind of job, which take turns: one cleans up after a job while another runs the next job.

    `open_container` is called with the kind of job and with a function that tells whether to give up.
    """

    def __init__(
        self,
        size: int,
        open_container: Callable[[Job, Callable[[], bool]], SharedContainer],
        background: ThreadPoolExecutor,
    ) -> None:
        self._size = size
        self._open = open_container
        self._background = background
        self._containers: deque[SharedContainer] = deque()
        self._opening: Future[SharedContainer] | None = None
        self._is_closed = threading.Event()

    def run(self, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
        """Run the job in the container that has waited longest. Raises: NoAnswer, and the errors of starting one."""
        container = self._take(job, is_cancelled)
        try:
            finished = container.run(job, is_cancelled)
        except BaseException as error:
            if isinstance(error, NoAnswer) and error.exit_code == KILLED:
                self._containers.append(container)
            else:
                close_quietly(container)
            raise
        self._containers.append(container)
        # Do not open another container before the first job, because there may be only one job.
        self.open_another(job)
        return finished

    def open_another(self, job: Job) -> None:
        """If there are too few containers, open another one in the background."""
        if self._opening is None and len(self._containers) < self._size:
            self._opening = self._background.submit(self._open, start_of(job), self._is_closed.is_set)

    def close(self) -> None:
        """Remove all containers; a container that is still being opened is removed before it is ready."""
        self._is_closed.set()
        self._collect(is_needed=True)
        while self._containers:
            close_quietly(self._containers.pop())

    def _take(self, job: Job, is_cancelled: Callable[[], bool]) -> SharedContainer:
        """Return a container that can run the job; remove those that cannot."""
        while True:
            self._collect(is_needed=not self._containers)
            if not self._containers:
                return self._open(start_of(job), is_cancelled)
            container = self._containers.popleft()
            if container.can_run(job):
                return container
            self._background.submit(close_quietly, container)

    def _collect(self, *, is_needed: bool) -> None:
        """If the container being opened is ready, add it to the others; if `is_needed` is true, wait for it first."""
        if self._opening is not None and (is_needed or self._opening.done()):
            opening, self._opening = self._opening, None
            with suppress(SandboxError, NoAnswer):  # the next attempt to open a container reports the error
                self._containers.append(opening.result())


def close_quietly(container: SharedContainer) -> None:
    """Remove a container; if the engine refuses, the reaper removes it later."""
    with suppress(SandboxError):
        container.close()


def server_program(job: Job, first_user: int) -> str:
    """Return the Python program that a shared container runs for jobs like this one."""
    folder = Path(__file__).parents[1] / "isolation"
    own = job.own_interpreters
    serve = (SERVE_WITH_INTERPRETERS if own else SERVE).format(
        first_user=first_user,
        jobs=JOBS_MAX,
        processes=job.processes,
        has_ranks=job.has_loopback,
        program=own.program if own else job.program,
        interpreter_program=own.interpreter_program if own else "",
    )
    program = START.format(
        landlock=(folder / "landlock.py").read_text(encoding="utf-8"),
        forking=(folder / "forking.py").read_text(encoding="utf-8"),
        count=own.count if own else 0,
        preparation=f"{own.preparation if own else job.preparation}\n{job.shared_preparation}",
        paths=allowed_paths(OWN, WRITABLE),
        filters={
            machine: b64encode(kernel_filter(job.has_loopback, "cpu", machine)).decode() for machine in ARCHITECTURES
        },
        serve=serve,
    )
    check_program(replace(job, program=program, preparation=""))
    return program
