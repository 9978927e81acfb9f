"""Runs each conformance test in every sandbox, and fails a test that leaves a container or a process behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.docker.forkserver import ForkServer
from sandbox.docker.sandbox import DockerSandbox
from sandbox.isolation.landlock import landlock_abi
from sandbox.job import Finished, Job, Sandbox, never
from sandbox.pool import Pool
from sandbox.process import bubblewrap
from sandbox.process.levels import LANDLOCK_MIN, Level
from sandbox.process.sandbox import ProcessSandbox


class WarmedPool(Pool):
    """Run each job in a cell that was waiting for it, and wait until nothing of the job is left."""

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        self.warm(job)
        self.wait_idle()
        try:
            return super().run(job, is_cancelled)
        finally:
            self.wait_idle()


@pytest.fixture(
    params=[
        *Level,
        pytest.param("docker", marks=pytest.mark.docker),
        "pooled process",
        pytest.param("pooled docker", marks=pytest.mark.docker),
        pytest.param("shared docker", marks=pytest.mark.docker),
    ]
)
def sandbox(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    if "docker" in request.param:
        if "pooled" in request.param:
            with closing(WarmedPool(DockerSandbox(), size=1)) as pool:
                yield pool
        elif "shared" in request.param:
            with closing(ForkServer()) as server:
                yield server
        else:
            yield DockerSandbox()
        assert own_containers() == []
    else:
        # A separate folder, because other tests on this machine create their cells in the usual one at the same time.
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        if "pooled" in request.param:
            with closing(WarmedPool(ProcessSandbox(sys.executable), size=1)) as pool:
                yield pool
        else:
            skip_without(request.param)
            yield ProcessSandbox(sys.executable, request.param)
        assert list(tmp_path.iterdir()) == []


def skip_without(level: Level) -> None:
    """Skip the test if this machine does not support the level."""
    is_there = {
        Level.BUBBLEWRAP: bubblewrap.is_supported(sys.executable),
        Level.LANDLOCK: landlock_abi() >= LANDLOCK_MIN,
        Level.PLAIN: True,
    }
    if not is_there[level]:
        pytest.skip(f"{level} does not work here")


def own_containers() -> list[str]:
    """Return the containers that this test process owns; other test runs on the machine have their own."""
    listing = subprocess.run(
        ["docker", "ps", "--all", "--format", "{{.Names}}", "--filter", f"name=interviewer-{os.getpid()}-"],
        capture_output=True,
        text=True,
        check=True,
    )
    return listing.stdout.split()


def processes_with(mark: str) -> list[str]:
    """Return the command lines on this machine that contain the mark; root also sees those in containers."""
    listing = subprocess.run(["ps", "-axwwo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listing.stdout.splitlines() if mark in line]
