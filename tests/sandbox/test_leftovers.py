"""Many apps are killed at random moments; after one more start, nothing of theirs is left on the machine.

`make attacks` kills a hundred apps, and the gate kills forty.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graders.client import GraderClient
from tests.recorded import grader
from tests.sandbox.conftest import processes_with

pytestmark = pytest.mark.recorded(subject_of=grader)

SEED = 20261121
# How many apps are killed: with cells that are processes, with cells that are containers, and whole grading workers.
PROCESSES, CONTAINERS, WORKERS = (72, 24, 4) if os.environ.get("INTERVIEWER_ATTACKS") == "all" else (24, 12, 4)
MARK = f"mark-of-the-killed-{os.getpid()}"
# Runs jobs one after the other in warm cells, as the worker does, without the seconds that torch takes to import.
POOLED = """
import time
from sandbox.{module}.sandbox import {sandbox}
from sandbox.job import Job
from sandbox.pool import Pool
from sandbox.owner import use_own_temp_folder
use_own_temp_folder()
{program}
job = Job(program + "# {mark}", b"", 20.0, 2**31)
pool = Pool({sandbox}(), size=2)
pool.warm(job)
while not pool.memory_bytes():  # the moments from here on: one cell is there, the next is being made
    time.sleep(0.01)
print("begun", flush=True)
while True:
    pool.run(job)
    pool.refill()
"""
LIGHT = 'program = \'import os, sys\\nos.write(1, b"ready")\\nsys.stdin.read()\\nopen("file", "w")\\n\''
APP = """
from graders.client import GraderClient
client = GraderClient()
client.start("docker")
print("begun", client.worker_pid, flush=True)
while True:
    client.grade("gae", "def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam): ...")
"""


class Killed:
    """Start one app; kill it, and sometimes its worker if it has one, after this many seconds."""

    def __init__(self, script: str, folder: Path, kill_after_seconds: float, kills_worker: bool) -> None:
        environ = {**os.environ, "TMPDIR": str(folder)}
        self.app = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environ, text=True)
        self.after_seconds = kill_after_seconds
        self.kills_worker = kills_worker

    def kill(self) -> list[int]:
        """Wait for the moment, kill, and return the process ids."""
        assert self.app.stdout is not None
        pids = [self.app.pid, *map(int, self.app.stdout.readline().split()[1:])]
        time.sleep(self.after_seconds)
        for pid in pids if self.kills_worker else pids[:1]:
            os.kill(pid, signal.SIGKILL)
        self.app.wait()
        self.app.stdout.close()
        return pids


def kill_many(script: str, folder: Path, count: int, at_once: int, seconds_max: float, fate: random.Random) -> set[int]:
    """Start and kill this many apps, a few at a time, and return their process ids."""
    pids: set[int] = set()
    for _ in range(count // at_once):
        apps = [Killed(script, folder, fate.uniform(0, seconds_max), fate.random() < 0.5) for _ in range(at_once)]
        # Each waits after the one before, so the moments are spread over more than seconds_max.
        for app in sorted(apps, key=lambda app: app.after_seconds):
            pids.update(app.kill())
    return pids


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_nothing_is_left_of_killed_apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fate = random.Random(SEED)
    light = POOLED.format(module="process", sandbox="ProcessSandbox", program=LIGHT, mark=MARK)
    contained = POOLED.format(module="docker", sandbox="DockerSandbox", program=LIGHT, mark=MARK)
    pids = kill_many(light, tmp_path, PROCESSES, 12, 0.1, fate)
    # Each app removes what earlier apps left, so only the last few are visible here.
    assert len(list(tmp_path.iterdir())) >= 6
    pids |= kill_many(contained, tmp_path, CONTAINERS, 6, 0.8, fate)
    assert containers_of(pids)
    pids |= kill_many(APP, tmp_path, WORKERS, WORKERS, 1.5, fate)
    time.sleep(2.0)  # what the engine was creating at that moment
    # A worker ends a moment after its app was killed, later on a busy machine; only then is its folder a leftover.
    end = time.monotonic() + 60
    while still_running := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < end, still_running
        time.sleep(0.1)

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    client = GraderClient()
    client.start("docker")
    end = time.monotonic() + 30
    while not client.warm_cells():
        assert time.monotonic() < end
        time.sleep(0.1)
    client.close()

    assert containers_of(pids) == []
    assert processes_with(MARK) == []
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert list(tmp_path.iterdir()) == []


def containers_of(pids: set[int]) -> list[str]:
    names = subprocess.run(["docker", "ps", "-a", "--format", "{{.Names}}"], capture_output=True, text=True, check=True)
    return [name for name in names.stdout.split() if name.split("-")[1:2] and name.split("-")[1] in map(str, pids)]
