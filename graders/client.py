"""The app's client for the grading worker: starts it, sends requests, restarts it after a crash; no torch import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from graders.errors import Cancelled, GradingError, TorchMissing, WorkerDied
from graders.install import POLL_SECONDS, installation, is_missing
from graders.lab.result import LabResult, result_from_json
from graders.resident import STAY_SECONDS, ResidentWorker, address, find_resident
from graders.timing import Timing, timing_from_json
from graders.verdict import Report, report_from_json

# No other variable is passed on: untrusted code must not see an API key from the app's environment.
KEPT_VARIABLES = {
    *("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_RUNTIME_DIR", "LD_LIBRARY_PATH"),
    *("DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY"),
    "CUDA_VISIBLE_DEVICES",
}
# Submissions of a batch that the worker has received while it grades another: the next one already runs, and one waits.
SENT_AHEAD = 2
END_SECONDS = 5.0
KILLED_SECONDS = 2.0
__all__ = ["GraderClient", "GradingError"]


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that are passed to the worker."""
    return {name: value for name, value in environ.items() if name in KEPT_VARIABLES}


class GraderClient:
    """Grades submissions in a worker process. `grade` blocks; any thread may call it, but only one call runs at a time.

    If `residence` (a private folder) is given, a resident worker in that folder is used instead of a new child process.
    """

    def __init__(self, residence: Path | None = None) -> None:
        self._residence = residence
        self._child: subprocess.Popen[str] | ResidentWorker | None = None
        self._log: IO[bytes] | None = None
        self._turn = threading.Lock()
        self._state = threading.Lock()
        self._number = 0
        self._running: set[int] = set()
        self._wish: dict[str, str] = {}
        self._cancelled = threading.Event()

    @property
    def worker_pid(self) -> int | None:
        """Return the worker's process id; None if no worker is running."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def start(self, warm: str = "", image: str = "") -> None:
        """Start the worker, which loads torch in the background.

        If the worker is already running, this call only tells it in which kind of sandbox to keep warm cells. From then
        on, warm cells are kept in the sandbox `warm` ("docker" or "process"), even after the worker restarts. An empty
        `warm` leaves an earlier choice unchanged; until a sandbox is chosen, no cells are kept warm.
        """
        with self._state:
            if warm:
                self._wish = {"warm": warm, "image": image}
            if is_missing():
                return  # grading waits until torch is installed
            if self._child is None or self._child.poll() is not None:
                self._start_child()
            elif not warm:
                return
            if self._wish:
                with suppress(OSError):  # the next grading run reports the error
                    self._write(self._wish)

    def _start_child(self) -> None:
        self._discard()
        if (path := self._address()) and (resident := find_resident(path)):
            self._child = resident
            return
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the child
        self._child = subprocess.Popen(
            # -P keeps Python from importing a torch.py in the candidate's working folder.
            [sys.executable, "-P", "-m", "graders.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            env=clean_environment(os.environ),
            start_new_session=True,
        )

    def _address(self) -> Path | None:
        return address(self._residence, clean_environment(os.environ)) if self._residence else None

    def grade(
        self,
        task: str,
        source: str,
        device: str = "cpu",
        sandbox: str = "docker",
        image: str = "",
        seed: int | None = None,
        is_batch: bool = False,
    ) -> Report:
        """Return the report for one submission. `task` is an id or the path of a task folder.

        If `is_batch`, more submissions for the same task and seed follow; they all share the same cases and, in Docker,
        one container.

        Waits for torch while it is being installed. Raises GradingError for an internal failure; if the worker died,
        the next call starts a new worker.
        """
        request = {"device": device, "sandbox": sandbox, "image": image, "seed": seed, "is_batch": is_batch}
        return report_from_json(self._answer({"task": task, "source": source, **request})["report"])

    def grade_many(
        self, task: str, sources: Iterable[str], device: str, sandbox: str, image: str, seed: int
    ) -> Iterator[Report | GradingError]:
        """Yield the report for each submission in a batch, in order, or the internal failure that prevented it.

        In Docker, the next submission runs while the worker judges the one before it, so a few sources are read in
        advance. No other call gets a turn until the iterator ends or is closed.
        """
        batch = {"task": task, "device": device, "sandbox": sandbox, "image": image, "seed": seed, "is_batch": True}
        requests = ({**batch, "source": source} for source in sources)
        cancelled = self._cancelled
        with self._turn:
            try:
                self._wait_for_torch(cancelled)
            except GradingError as error:
                yield from (error for _ in requests)
            else:
                yield from self._reports(requests, cancelled)

    def _reports(
        self, requests: Iterator[dict[str, Any]], cancelled: threading.Event
    ) -> Iterator[Report | GradingError]:
        """Yield the report for each request, in order; the worker always has the next few requests already."""
        sent: dict[int, dict[str, Any]] = {}
        try:
            while not cancelled.is_set():
                if not sent:
                    self.start()
                    child = self._child
                for request in islice(requests, 1 + SENT_AHEAD - len(sent)):
                    sent[self._send_numbered(request)] = request
                if not sent:
                    return
                number = next(iter(sent))
                try:
                    answer = self._receive(child, number)
                except WorkerDied:
                    # Any of the submissions that were sent may be the reason, so each of them is graded alone.
                    self._cancel(sent)
                    alone = list(sent.values())
                    sent.clear()
                    for request in alone:
                        yield _report_or_error(partial(self._answer_in_turn, request, cancelled))
                else:
                    del sent[number]
                    yield _report_or_error(partial(_without_error, answer))
            yield from (_cancelled() for _ in chain(sent, requests))
        finally:
            self._cancel(sent)

    def lab(self, task: str, source: str, device: str = "auto", sandbox: str = "docker", image: str = "") -> LabResult:
        """Return the memory lab's measurements for a task, and the estimates that the reference computes.

        If `source` is not empty, the result also contains the submission's estimates. Raises GradingError for a missing
        device or an internal failure.
        """
        request = {"device": device, "sandbox": sandbox, "image": image, "lab": True}
        return result_from_json(self._answer({"task": task, "source": source, **request})["lab"])

    def timing(self, task: str, source: str, device: str = "cpu", sandbox: str = "docker", image: str = "") -> Timing:
        """Return how fast a passing submission runs compared with the reference. Raises: GradingError."""
        request = {"device": device, "sandbox": sandbox, "image": image, "timed": True}
        return timing_from_json(self._answer({"task": task, "source": source, **request})["timing"])

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send one request, which can be cancelled, and return the worker's answer. Raises: GradingError."""
        # `cancel` sets this event for all calls that have begun, including those that still wait for their turn.
        cancelled = self._cancelled
        with self._turn:
            self._wait_for_torch(cancelled)
            return self._answer_in_turn(request, cancelled)

    def _answer_in_turn(self, request: dict[str, Any], cancelled: threading.Event) -> dict[str, Any]:
        """Send one request during this call's turn, and return the worker's answer. Raises: GradingError."""
        self.start()
        try:
            answer = self._ask(request, cancelled)
        except WorkerDied:
            if not isinstance(self._child, ResidentWorker):
                raise
            # The resident worker has just reached its idle timeout, or the worker was killed. Retry once with a new
            # worker.
            self._residence = None
            self.start()
            answer = self._ask(request, cancelled)
        return _without_error(answer)

    def _ask(self, request: dict[str, Any], cancelled: threading.Event) -> dict[str, Any]:
        """Send one request, and return the worker's answer. Raises: Cancelled, WorkerDied."""
        number = self._send_numbered(request)
        if cancelled.is_set():
            self._cancel([number])
            raise _cancelled()
        return self._receive(self._child, number)

    def _send_numbered(self, request: dict[str, Any]) -> int:
        """Send a request, and return its new number; until its answer is received, `cancel` cancels it."""
        self._number += 1
        self._running.add(self._number)
        with suppress(OSError, ValueError):  # `_receive` reports that the worker has exited
            self._send({"id": self._number, **request})
        return self._number

    def _wait_for_torch(self, cancelled: threading.Event) -> None:
        """Wait until torch is installed. Raises: Cancelled, TorchMissing."""
        while (running := installation()) and not running.error and not cancelled.wait(POLL_SECONDS):
            pass
        if cancelled.is_set():
            raise _cancelled()
        if running or is_missing():
            why = f": {running.error}" if running else ""
            raise TorchMissing(f"PyTorch is not installed{why}.", "Run pip install torch==2.13.0 in this environment.")

    def warm_cells(self) -> list[int] | None:
        """Return the memory in bytes of each warm cell, that is, each started sandbox that waits for a job.

        The result is None if the memory cannot be measured, for example during a grading run.
        """
        if not self._turn.acquire(blocking=False):
            return None
        try:
            if self._child is None or self._child.poll() is not None:
                return None
            memory_bytes: list[int] = self._ask({"cells": True}, threading.Event())["memory_bytes"]
            return memory_bytes
        except WorkerDied:
            return None  # the next grading run reports the error
        finally:
            self._turn.release()

    def prepare(self, task: str, device: str = "cpu") -> None:
        """Announce that a submission for this task may arrive soon, so that a warm cell and new cases are ready."""
        with self._state, suppress(OSError, ValueError):  # without a running worker, there is no cell to keep warm
            if self._child is not None:
                self._write({"prepare": task, "device": device})

    def cancel(self) -> None:
        """Stop the grading run in progress and those that wait for their turn, if any.

        Their calls then raise GradingError with the kind "Cancelled".
        """
        # Replace the event instead of clearing it: clearing it would undo the cancellation of calls that still wait.
        cancelled, self._cancelled = self._cancelled, threading.Event()
        cancelled.set()
        self._cancel(tuple(self._running))

    def _cancel(self, numbers: Iterable[int]) -> None:
        """Tell the worker that the answers to these requests are no longer needed."""
        for number in numbers:
            self._running.discard(number)
            with suppress(OSError, ValueError):
                self._send({"cancel": number})

    def close(self, stays: bool = False) -> None:
        """Stop the worker and its runs; if `stays` is true, keep the worker running for the next client instead.

        If this client did not start the worker but took over a resident one, the worker always keeps running.
        """
        with self._state:
            if stays and isinstance(self._child, subprocess.Popen) and (path := self._address()):
                with suppress(OSError, ValueError):
                    self._write({"stay": str(path), "seconds": STAY_SECONDS})
                    self._leave(self._child)
            self._discard()

    def _leave(self, child: subprocess.Popen[str]) -> None:
        """Allow a child process to outlive this client."""
        child.returncode = 0  # so that Popen does not wait for the process
        pipes = child.stdin, child.stdout, self._log
        self._child = self._log = None
        # Close the input first. If a call is reading the output, closing the output blocks until the worker has read
        # to the end of its input and has closed its own end of the output.
        for pipe in pipes:
            assert pipe is not None
            pipe.close()

    def _receive(self, child: subprocess.Popen[str] | ResidentWorker | None, number: int) -> dict[str, Any]:
        """Return the worker's answer to the request with this number. Raises: WorkerDied."""
        assert child is not None
        assert child.stdout is not None
        try:
            while line := child.stdout.readline():
                answer: dict[str, Any] = json.loads(line)
                if answer["id"] == number:
                    return answer
        except (OSError, ValueError):
            pass  # treat a broken pipe like a closed pipe
        finally:
            self._running.discard(number)
        code = f" (exit code {child.wait()})" if isinstance(child, subprocess.Popen) else ""
        raise WorkerDied(
            f"the grading worker exited{code}; end of its log: {self._log_tail() or 'empty'}",
            "Submit again; this starts a new worker. If it exits again, run interviewer doctor.",
        )

    def _send(self, message: dict[str, Any]) -> None:
        with self._state:
            self._write(message)

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps(message) + "\n")
        self._child.stdin.flush()

    def _log_tail(self) -> str:
        if self._log is None:
            return ""
        size_bytes = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size_bytes - 2000))
        return self._log.read().decode("utf-8", "replace").strip()

    def _discard(self) -> None:
        """Close the child's input so that it can remove its cells and exit; kill it if it hangs."""
        child, log = self._child, self._log
        self._child = self._log = None
        if isinstance(child, ResidentWorker):
            child.close()
        elif child is not None:
            assert child.stdin is not None
            with suppress(OSError):
                child.stdin.close()
            try:
                child.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                # Use a timeout: Ctrl+C in the middle of `poll` leaves Popen's internal lock held, and then a `wait`
                # without a timeout never returns.
                with suppress(subprocess.TimeoutExpired):
                    child.wait(KILLED_SECONDS)
            assert child.stdout is not None
            child.stdout.close()
        if log is not None:
            log.close()


def _without_error(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the worker's answer. Raises GradingError if the answer is an error."""
    if "error" in answer:
        error = answer["error"]
        raise GradingError(error["message"], error["fix"], error["kind"])
    return answer


def _report_or_error(find_answer: Callable[[], dict[str, Any]]) -> Report | GradingError:
    try:
        return report_from_json(find_answer()["report"])
    except GradingError as error:
        return error


def _cancelled() -> Cancelled:
    return Cancelled("The grade was cancelled.", "Submit again to grade this code.")
