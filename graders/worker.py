"""The child process that holds torch: requests and answers are JSON lines on its pipes, one grade at a time.

Request: {"id", "task" (id or folder), "source", "device", "sandbox", "image", "seed"}, or {"cancel": id}.
Answer: {"id", "report"} or {"id", "error": {"kind", "message", "fix"}}.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Any

from graders.errors import GradingError
from graders.grade import grade
from graders.trusted import hide_gpus
from sandbox.job import Sandbox, SandboxError
from tasks.load import TaskError, find_task, load_task


class Worker:
    """Grade what comes in; a cancel is heard while a grade runs."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self._requests = requests
        self._answers = answers
        self._waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._cancelled: set[int] = set()
        self._is_orphan = threading.Event()
        self._sandboxes: dict[tuple[str, str], Sandbox] = {}

    def run(self) -> None:
        """Answer requests until their pipe ends."""
        threading.Thread(target=self._read, daemon=True).start()
        while (request := self._waiting.get()) is not None:
            answer = {"id": request["id"], **self._answer(request)}
            self._answers.write(json.dumps(answer) + "\n")
            self._answers.flush()

    def _read(self) -> None:
        for line in self._requests:
            request = json.loads(line)
            if "cancel" in request:
                self._cancelled.add(request["cancel"])
            else:
                self._waiting.put(request)
        self._is_orphan.set()  # the app is gone, and with it the wish for whatever is being graded
        self._waiting.put(None)

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            path = Path(request["task"])
            task = load_task(path) if len(path.parts) > 1 else find_task(request["task"])
            sandbox = self._sandbox(request["sandbox"], request["image"])
            number = request["id"]
            report = grade(
                task,
                request["source"],
                sandbox,
                seed=request["seed"],
                device=request["device"],
                is_cancelled=lambda: number in self._cancelled or self._is_orphan.is_set(),
            )
        except (GradingError, SandboxError) as error:
            kind = error.kind if isinstance(error, GradingError) else type(error).__name__
            return _error(kind, error.message, error.fix)
        except TaskError as error:
            return _error(type(error).__name__, str(error), "interviewer tasks lists the tasks.")
        except Exception as error:
            traceback.print_exc()
            return _error("Bug", f"{type(error).__name__}: {error}", "This is a bug of ours: please report it.")
        return {"report": report.to_json()}

    def _sandbox(self, kind: str, image: str) -> Sandbox:
        if (kind, image) not in self._sandboxes:
            self._sandboxes[kind, image] = open_sandbox(kind, image)
        return self._sandboxes[kind, image]


def open_sandbox(kind: str, image: str) -> Sandbox:
    """Return the sandbox of that kind, "docker" or "process"; an empty image means the default one."""
    if kind == "process":
        from sandbox.process import ProcessSandbox

        return ProcessSandbox()
    if kind == "docker":
        from sandbox.docker import DockerSandbox

        return DockerSandbox(image) if image else DockerSandbox()
    raise GradingError(f"no sandbox is called {kind!r}", "Choose docker or process.", "UnknownSandbox")


def _error(kind: str, message: str, fix: str) -> dict[str, Any]:
    return {"error": {"kind": kind, "message": message, "fix": fix}}


def main() -> None:
    """Serve on a private copy of standard output, so that whatever prints cannot break the protocol."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    hide_gpus()
    Worker(sys.stdin, answers).run()


if __name__ == "__main__":
    main()
