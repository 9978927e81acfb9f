"""The child process that loads torch: requests and answers are JSON lines on its pipes, in the same order.

Requests with an answer:
- {"id", "task" (id or folder), "source", "device", "sandbox", "image", "seed", "is_batch"}, answered by {"id",
  "report"} or {"id", "error": {"kind", "message", "fix"}}
- the same request with "lab": true and without a seed ("source" may be empty), answered by {"id", "lab"} or an error
- the same request with "timed": true and without a seed, answered by {"id", "timing"} or an error
- {"id", "cells": true}, answered by {"id", "memory_bytes": [of each warm cell]}

Requests without an answer:
- {"cancel": id}
- {"warm": sandbox, "image"}
- {"prepare": task, "device"}
- {"stay": path, "seconds"}: whenever a client disconnects, wait at `path` for the next client, for up to `seconds`
  (see graders.resident)
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import sys
import threading
import traceback
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from graders.errors import GradingError
from graders.resident import wait_for_client
from graders.sandboxes import Sandboxes
from sandbox.docker.forkserver import ForkServer
from sandbox.job import Sandbox, SandboxError
from sandbox.owner import use_own_temp_folder
from tasks.load import TaskError, load_task

if TYPE_CHECKING:
    from graders.grade import Executed, Prepared
    from graders.prefetch import Prefetcher
    from graders.verdict import Report
    from tasks.task import Task


class Client:
    """The client at the other end of the pipes or connection: its requests, and whether it still needs answers."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self.requests = requests
        self.answers = answers
        self.cancelled: set[int] = set()
        self.has_left = threading.Event()

    def is_waiting_for(self, number: int) -> bool:
        """Return whether the answer to this request is still needed."""
        return number not in self.cancelled and not self.has_left.is_set()


class Worker:
    """Grades one submission at a time; keeps reading requests while it grades or while torch is being imported.

    In a batch, the next submission already runs in the sandbox while the one before it is being judged.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._folder = use_own_temp_folder()
        self._sandboxes = Sandboxes()
        self._waiting: queue.Queue[tuple[Client, dict[str, Any]]] = queue.Queue()
        self._has_torch = False
        self._stay: tuple[Path, float] | None = None
        self._turn = threading.Lock()
        # The first waiting request, if it has already been taken out of the queue.
        self._next: tuple[Client, dict[str, Any]] | None = None
        self._begun: _Begun | None = None
        self._side = ThreadPoolExecutor(1, "next-submission")

    def run(self) -> None:
        """Answer requests until the last client has disconnected; never returns."""
        threading.Thread(target=self._read_all, daemon=True).start()
        # Import lazily: the first warm cell starts in the meantime, and an app that exits immediately does not have to
        # wait.
        from graders.prefetch import Prefetcher
        from graders.reference import hide_gpus

        hide_gpus()
        self._has_torch = True
        ahead = Prefetcher()
        while True:
            client, request = self._next or self._waiting.get()
            self._next = None
            with self._turn:
                if client.has_left.is_set():
                    continue
                if "prepare" not in request:
                    answer = {"id": request["id"], **self._answer(client, request, ahead)}
                    with suppress(OSError):  # the client has disconnected
                        client.answers.write(json.dumps(answer) + "\n")
                        client.answers.flush()
                task = request.get("prepare") or request.get("task")
                if task and self._sandboxes.is_warm:
                    # In the lab, a submission computes its estimates on the CPU.
                    device = "cpu" if "lab" in request else request.get("device", "cpu")
                    if kind := ahead.batch_kind(device) if request.get("is_batch") else ahead.prepare(task, device):
                        self._sandboxes.prewarm(kind)

    def _read_all(self) -> None:
        """Read the requests of one client after another, and end the process after the last one."""
        self._read(self._client)
        # The first client gets no more answers. Close the pipe, so that a call that still waits for an answer does not
        # block until this process exits.
        with suppress(OSError):
            self._client.answers.close()
        while self._stay and (connection := wait_for_client(*self._stay)):
            with (
                suppress(OSError, ValueError),
                connection,
                connection.makefile("r", encoding="utf-8") as requests,
                connection.makefile("w", encoding="utf-8") as answers,
            ):
                self._read(Client(requests, answers))
        with self._turn:
            self._sandboxes.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            # Exit directly: a normal interpreter shutdown takes half a second to unload torch.
            os._exit(0)

    def _read(self, client: Client) -> None:
        """Read a client's requests until it disconnects and no work is pending for it."""
        try:
            for line in client.requests:
                request = json.loads(line)
                if "cancel" in request:
                    client.cancelled.add(request["cancel"])
                elif "warm" in request:
                    with suppress(GradingError):  # the error is reported when a submission is graded in this sandbox
                        self._sandboxes.warm(request["warm"], request["image"])
                elif "stay" in request:
                    self._stay = Path(request["stay"]), request["seconds"]
                else:
                    self._waiting.put((client, request))
                    self._open_early(request)
        finally:
            client.has_left.set()  # the result of a grading run in progress is no longer needed
            with self._turn:
                # A run that began early has been cancelled, too. Wait until it has ended.
                self._side.submit(int).result()

    def _open_early(self, request: dict[str, Any]) -> None:
        """Start a cell while the first submission waits for torch; importing torch in the cell takes equally long."""
        if self._has_torch or request.get("device") != "cpu" or request.get("is_batch") or self._sandboxes.is_warm:
            return
        # If the task is given by its id instead of its folder, `load_task` raises TaskError, and no cell is opened in
        # advance. An error in the task is reported when a submission is graded.
        with suppress(TaskError):
            self._sandboxes.open_early(request["sandbox"], request["image"], load_task(Path(request["task"])))

    def _answer(self, client: Client, request: dict[str, Any], ahead: Prefetcher) -> dict[str, Any]:
        if "cells" in request:
            return {"memory_bytes": self._sandboxes.memory_bytes()}
        from graders.grade import grade
        from graders.lab.estimates import run_lab
        from graders.stopwatch import time_submission

        try:
            task = ahead.task(request["task"])
            number = request["id"]
            sandbox, prepared = self._place(request, task, ahead)

            def is_cancelled() -> bool:
                return not client.is_waiting_for(number)

            if "lab" in request:
                return {"lab": run_lab(task, request["device"], request["source"], sandbox, is_cancelled).to_json()}
            if "timed" in request:
                timing = time_submission(task, request["source"], sandbox, request["device"], is_cancelled)
                return {"timing": timing.to_json()}
            if prepared and isinstance(sandbox, ForkServer):
                return {"report": self._grade_in_batch(client, request, sandbox, prepared).to_json()}
            report = grade(
                task,
                request["source"],
                sandbox,
                seed=request["seed"],
                device=request["device"],
                is_cancelled=is_cancelled,
                prepared=prepared,
            )
        except (GradingError, SandboxError) as error:
            # Identify sandbox errors by their class, because the app's commands report all of them as "sandbox".
            kind = error.kind if isinstance(error, GradingError) else type(error).__name__
            return _error(kind, error.message, error.fix)
        except TaskError as error:
            return _error(type(error).__name__, str(error), "interviewer tasks lists the tasks.")
        except Exception as error:
            traceback.print_exc()
            return _error("Bug", f"{type(error).__name__}: {error}", "This is a bug in interviewer. Please report it.")
        return {"report": report.to_json()}

    def _grade_in_batch(self, client: Client, request: dict[str, Any], sandbox: Sandbox, prepared: Prepared) -> Report:
        """Return the report on a submission in a batch; while it is being judged, the next submission already runs."""
        from graders.grade import execute, report_on

        def run(request: dict[str, Any]) -> Executed:
            number = request["id"]
            return execute(
                prepared, request["source"], sandbox, request["device"], lambda: not client.is_waiting_for(number)
            )

        begun, self._begun = self._begun, None
        if begun and begun.request is request and begun.prepared is prepared:
            executed = begun.run.result()
        else:
            executed = run(request)
        with suppress(queue.Empty):
            self._next = self._waiting.get_nowait()
            upcoming = self._next[1]
            if _same_batch(upcoming, request):
                self._begun = _Begun(upcoming, prepared, self._side.submit(run, upcoming))
        return report_on(executed)

    def _place(self, request: dict[str, Any], task: Task, ahead: Prefetcher) -> tuple[Sandbox, Prepared | None]:
        """Return the sandbox for a submission, and its cases if they have been prepared."""
        from graders.grade import kind_of_job

        kind, image, seed = request["sandbox"], request["image"], request.get("seed")
        if "lab" in request or "timed" in request:
            return self._sandboxes.find(kind, image), None
        if seed is None:
            return self._sandboxes.find(kind, image), ahead.take(task)
        if not request["is_batch"] or request["device"] not in task.devices:
            return self._sandboxes.find(kind, image), None
        prepared = ahead.for_batch(task, seed)
        if kind == "docker" and kind_of_job(prepared.plan, request["device"]).can_be_forked:
            return self._sandboxes.find_shared(image), prepared
        # The job needs its own cell. The next cell is opened while the app finds the next submission.
        self._sandboxes.warm(kind, image)
        return self._sandboxes.find(kind, image), prepared


class _Begun(NamedTuple):
    """The run of a batch's next submission, which began while the submission before it was being judged."""

    request: dict[str, Any]
    prepared: Prepared
    run: Future[Executed]


def _same_batch(request: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two requests differ only in their submissions."""
    return {**request, "id": 0, "source": ""} == {**other, "id": 0, "source": ""}


def _error(kind: str, message: str, fix: str) -> dict[str, Any]:
    return {"error": {"kind": kind, "message": message, "fix": fix}}


def main() -> None:
    """Serve on a private copy of standard output, so stray print calls cannot break the protocol."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    Worker(Client(sys.stdin, answers)).run()


if __name__ == "__main__":
    main()
