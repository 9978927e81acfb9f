"""Runs a program as a child process under the strongest isolation available; the level is always reported."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.job import CellLost, Ending, Finished, Job, check_program, never, serve_once
from sandbox.process.levels import ISOLATION, Level, best_level, command, folder_inside, level_for
from sandbox.process.supervisor import descendants
from sandbox.stream import OutputCollector, PayloadWriter, listen, pump

SUPERVISOR = Path(__file__).with_name("supervisor.py")
FILE_BYTES_MAX = 64 * 2**20
OPEN_FILES_MAX = 1024
# The number of threads allowed in addition to those that the user's processes are already running. The kernel counts
# all of the user's threads, so with a tight limit, an honest program could fail because a browser opened a page. This
# limit only stops a fork bomb.
THREADS_ABOVE_MAX = 1024
SUPERVISOR_SECONDS = 5.0


class ProcessSandbox:
    """Runs each job in a child process with a clean environment, its own temp folder, limits and a deadline."""

    name = "process"

    def __init__(self, python: str = sys.executable, level: Level | None = None) -> None:
        self._python = python
        self.level = level or best_level(python)
        self.isolation = ISOLATION[self.level]

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in a fresh process; remove all its processes and files afterwards.

        Raises CellLost if the process cannot be started.
        """
        return serve_once(self.open(job), job, is_cancelled)

    def open(self, job: Job, wait_seconds: float = 0.0) -> ProcessCell:
        """Return a process that has started the job's program and waits for the payload; `wait_seconds` is ignored."""
        check_program(job)
        folder = os.path.realpath(tempfile.mkdtemp(prefix="interviewer-cell-"))
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                isolation = ISOLATION[level_for(self.level, job)]
                return ProcessCell(self._start(job, folder, theirs.fileno()), ours, folder, job, isolation)
        except BaseException:
            ours.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _start(self, job: Job, folder: str, leash: int) -> subprocess.Popen[bytes]:
        level = level_for(self.level, job)
        program = command(level, self._python, job, folder)
        words = [str(leash), folder, json.dumps(limits(job)), *program]
        try:
            return subprocess.Popen(
                [self._python, "-I", "-S", str(SUPERVISOR), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=environment(job, folder_inside(level, folder)),
                pass_fds=[leash],
                start_new_session=True,
            )
        except OSError as error:
            raise CellLost(
                f"{self._python} did not start: {error}", "Check free memory and disk, and try again."
            ) from error


class ProcessCell:
    """A supervisor process and the program that it runs.

    When we close our end of the `leash` socket pair, the supervisor kills the program and exits.
    """

    def __init__(
        self, supervisor: subprocess.Popen[bytes], leash: socket.socket, folder: str, job: Job, isolation: str
    ) -> None:
        assert supervisor.stdin is not None
        assert supervisor.stdout is not None
        assert supervisor.stderr is not None
        self.folder = folder
        self._keeper = supervisor
        self._leash = leash
        self._isolation = isolation
        self._input = supervisor.stdin
        self._collector = OutputCollector(job)
        self._readers: dict[int, Callable[[bytes], None]] = {
            supervisor.stdout.fileno(): self._collector.take_result,
            supervisor.stderr.fileno(): self._collector.take_log,
            leash.fileno(): lambda _: None,
        }

    def is_alive(self) -> bool:
        """Return whether the program is still waiting, and read its pending output."""
        return self._leash.fileno() >= 0 and listen(self._collector, self._readers)

    def is_ready(self) -> bool:
        """Return whether the program is waiting and has reported that it is ready."""
        return self.is_alive() and bool(self._collector.result)

    def memory_bytes(self) -> int:
        """Return the proportional set size of the supervisor and the program in bytes; 0 without /proc."""
        pids = [self._keeper.pid, *descendants(self._keeper.pid)]
        return sum(_share_bytes(pid) for pid in pids)

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Send the payload and return the output; the deadline starts now."""
        collector = self._collector
        collector.begin(job, is_cancelled)
        try:
            feed = PayloadWriter(self._input.fileno(), job.payload, self._input.close)
            pump(collector, self._readers, self._leash.fileno(), feed)
        finally:
            self._close_leash()
        if collector.ending is None:
            return collector.finished(Ending.EXITED, _end(self._keeper), self._isolation)
        return collector.finished(collector.ending, None, self._isolation)

    def close(self) -> None:
        """End the program, and wait until all processes and files are gone."""
        self._close_leash()
        _end(self._keeper)
        # The supervisor has already removed the folder, unless the program killed the supervisor.
        shutil.rmtree(self.folder, ignore_errors=True)

    def _close_leash(self) -> None:
        """Make the supervisor exit.

        Closing the `leash` socket is not enough, because a process forked from ours may still have a copy of its file
        descriptor.
        """
        if self._leash.fileno() >= 0:
            with suppress(OSError):
                self._leash.shutdown(socket.SHUT_RDWR)
            self._leash.close()


def _share_bytes(pid: int) -> int:
    """Return a process's proportional set size in bytes, from /proc; 0 if the process or /proc does not exist."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("Pss:")).split()[1])
    return 0


def environment(job: Job, folder: str) -> dict[str, str]:
    """Return the program's whole environment; nothing is inherited, so no API key leaks into it."""
    kept = ["CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"] if job.device == "cuda" else []
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo0" if sys.platform == "darwin" else "lo",
        **{name: os.environ[name] for name in kept if name in os.environ},
    }


def limits(job: Job) -> dict[str, int]:
    """Return the rlimits by name.

    The memory limit applies to each process's data (RLIMIT_DATA), not to its address space: torch reserves far more
    address space than it uses, and CUDA reserves more than any machine has, so with a GPU there is no memory limit at
    all. macOS enforces neither limit.
    """
    chosen = {
        # A program with several threads uses CPU time faster than wall time, so this limit is high enough for the
        # wall-clock deadline to be reached first. The limit is for the case where neither the app nor the supervisor is
        # left to enforce the deadline.
        "RLIMIT_CPU": int(2 * job.wall_seconds * (os.cpu_count() or 1)) + 2,
        "RLIMIT_FSIZE": FILE_BYTES_MAX,
        "RLIMIT_NOFILE": OPEN_FILES_MAX,
        "RLIMIT_CORE": 0,
    }
    if sys.platform == "linux":
        chosen["RLIMIT_NPROC"] = _threads_of_user() + THREADS_ABOVE_MAX
        if job.device != "cuda":
            chosen["RLIMIT_DATA"] = job.memory_bytes
    return chosen


def _threads_of_user() -> int:
    count = 0
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == os.getuid():
                count += len(os.listdir(entry / "task"))
    return count


def _end(supervisor: subprocess.Popen[bytes]) -> int:
    """Wait until the supervisor has cleaned up, and return its exit code; the caller has closed the leash socket."""
    for stream in (supervisor.stdin, supervisor.stdout, supervisor.stderr):
        if stream is not None:
            stream.close()
    try:
        code = supervisor.wait(SUPERVISOR_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        code = supervisor.wait()
    return code if code >= 0 else 128 - code
