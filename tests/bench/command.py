"""Times `interviewer grade` on the command line: without a worker, and with a worker that the app left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graders.client import GraderClient
from tasks.load import find_task
from tests.bench.tables import percentiles

TASK = find_task("ppo_clip_loss")
COMMAND = (sys.executable, "-m", "interviewer", "grade", TASK.id, str(TASK.folder / "reference.py"), "--no-log")
IMPORT = (sys.executable, "-c", "import torch")
REFILL_SECONDS = 4.0  # people do not grade twice within this time, and the next cell is ready after it


def measure(runs: int) -> dict[str, Any]:
    """Return the milliseconds of whole commands in Docker, and of importing torch; they alternate."""
    values: dict[str, list[float]] = {"grade, cold (ms)": [], "grade, warm (ms)": [], "import torch (ms)": []}
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "INTERVIEWER_HOME": home}
        pid = leave_worker(Path(home) / "cache" / "grader")
        try:
            for turn in range(-1, runs):  # the first run writes byte code
                cold = timed_ms(COMMAND, {**environment, "INTERVIEWER_KEEP_GRADER": "off"})
                warm = timed_ms(COMMAND, environment)
                times = (cold, warm, timed_ms(IMPORT, environment))
                for several, milliseconds in zip(values.values(), times, strict=True):
                    several.extend([milliseconds] if turn >= 0 else [])
                time.sleep(REFILL_SECONDS)
        finally:
            os.kill(pid, signal.SIGKILL)
    figures = {name: percentiles(several) for name, several in values.items()}
    bare = figures["import torch (ms)"]["p50"]
    ratios = {f"{name}, times an import of torch": figure["p50"] / bare for name, figure in figures.items()}
    return {"figures": figures, "ratios": {name: round(value, 2) for name, value in ratios.items()}}


def leave_worker(residence: Path) -> int:
    """Leave a worker with a warm cell running, as the app does, and return its process id."""
    client = GraderClient(residence)
    client.start("docker")
    while not client.warm_cells():
        time.sleep(0.1)
    pid = client.worker_pid
    assert pid is not None
    client.close(stays=True)
    return pid


def timed_ms(words: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Return how many milliseconds one command takes, from its start to its end."""
    began = time.perf_counter()
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1e3
