"""Gives each conformance test every sandbox, and fails a test that leaves a container or a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.docker import DockerSandbox
from sandbox.job import Sandbox
from sandbox.process import ProcessSandbox


@pytest.fixture(params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    if request.param == "docker":
        yield DockerSandbox()
        assert own_containers() == []
    else:
        # A place of its own: other tests on this machine make their cells in the usual one at the same time.
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        yield ProcessSandbox(sys.executable)
        assert list(tmp_path.iterdir()) == []


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
    """Return the command lines on this machine that hold the mark; inside containers too, since root sees them."""
    listing = subprocess.run(["ps", "-axwwo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listing.stdout.splitlines() if mark in line]
