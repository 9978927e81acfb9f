"""Comparing the machine before and after the attacks detects everything that an attack could leave behind."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.attacks import host

SHARED_BYTES = 256 * 2**20

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def test_a_process_without_its_environment_is_found_in_its_removed_folder(tmp_path: Path) -> None:
    (tmp_path / "interviewer-cell-1").mkdir()
    left = subprocess.Popen(["sleep", "60"], env={}, cwd=tmp_path / "interviewer-cell-1")
    (tmp_path / "interviewer-cell-1").rmdir()
    try:
        assert any("sleep" in command for command in host.cell_processes(tmp_path))
    finally:
        left.kill()
        left.wait()
    assert host.cell_processes(tmp_path) == []


def test_a_file_in_shared_memory_is_seen_as_taken() -> None:
    before = host.ownerless_memory_bytes()
    with tempfile.TemporaryFile(dir="/dev/shm") as file:
        file.write(bytes(SHARED_BYTES))
        file.flush()
        assert host.ownerless_memory_bytes() - before > SHARED_BYTES // 2
