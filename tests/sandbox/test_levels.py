"""Which level is used without Docker, and what the restrictions report if a kernel lacks part of them."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from sandbox.isolation.landlock import landlock_abi
from sandbox.isolation.prelude import split_report, with_prelude
from sandbox.isolation.seccomp import kernel_filter
from sandbox.job import PROGRAM_BYTES_MAX, Job
from sandbox.process import bubblewrap
from sandbox.process.bubblewrap import python_paths
from sandbox.process.levels import ISOLATION, LANDLOCK_MIN, Level, best_level, forgery
from sandbox.process.sandbox import ProcessSandbox
from tests.sandbox.conftest import skip_without

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fences are Linux's")


def test_a_log_without_a_report_is_left_alone() -> None:
    assert split_report(b"hello") == ("", b"hello")
    split = split_report(b"a warning of the engine\n\x1efence landlock=0 seccomp=0\nhello")
    assert split == ("no Landlock in this kernel, system calls not filtered", b"a warning of the engine\nhello")


@pytest.mark.parametrize(("landlock_min", "result"), [(0, b"ran\n"), (LANDLOCK_MIN, b"")])
def test_a_kernel_without_landlock_is_told_and_where_it_must_hold_nothing_runs(
    landlock_min: int, result: bytes
) -> None:
    # The filter of a machine where the three calls do not exist, put up before the fence itself.
    source = Path(sys.modules["sandbox.isolation.landlock"].__file__ or "").read_text()
    refuse = "struct.pack('<HBBI', 0x20, 0, 0, 0) + struct.pack('<HBBI', 0x35, 0, 2, 444)"
    refuse += " + struct.pack('<HBBI', 0x25, 1, 0, 446) + struct.pack('<HBBI', 6, 0, 0, 0x50026)"
    refuse += " + struct.pack('<HBBI', 6, 0, 0, 0x7fff0000)"
    before = f"before = {{}}\nexec({source!r}, before)\nimport struct\nbefore['restrict_syscalls']({refuse})\n"
    program = before + with_prelude("print('ran', flush=True)", (), ("/tmp",), landlock_min=landlock_min)
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=False)
    assert done.stdout == result
    assert split_report(done.stderr)[0] == "no Landlock in this kernel, system calls filtered"
    assert (done.returncode == 0) is bool(result)


def test_the_best_level_that_works_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = ProcessSandbox(sys.executable)
    assert chosen.level is best_level(sys.executable)
    assert chosen.isolation == ISOLATION[chosen.level]
    monkeypatch.setattr("sandbox.process.bubblewrap.is_supported", lambda _: False)
    assert best_level(sys.executable) is (Level.LANDLOCK if landlock_abi() >= LANDLOCK_MIN else Level.PLAIN)
    monkeypatch.setattr("sandbox.process.levels.landlock_abi", lambda: LANDLOCK_MIN - 1)
    assert best_level(sys.executable) is Level.PLAIN
    monkeypatch.setattr("sandbox.process.levels.landlock_abi", lambda: 7)
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert best_level(sys.executable) is Level.PLAIN
    monkeypatch.setattr("sandbox.process.bubblewrap.is_supported", lambda _: True)
    monkeypatch.setattr("sys.platform", "darwin")
    assert best_level(sys.executable) is Level.PLAIN


@pytest.mark.parametrize("level", Level)
def test_only_root_without_isolation_is_told_that_a_verdict_can_be_forged(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for user in (1000, 0):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        told.append("root" in forgery(level))
    assert told == [False, level is Level.PLAIN]


def test_a_bubblewrap_that_does_not_work_is_not_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:

    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert not bubblewrap.is_supported.__wrapped__(sys.executable)


def test_the_level_that_needs_landlock_refuses_to_run_without(monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without(Level.LANDLOCK)
    monkeypatch.setattr("sandbox.process.levels.LANDLOCK_MIN", 10_000)
    finished = ProcessSandbox(sys.executable, Level.LANDLOCK).run(Job("print('ran')", b"", 20.0, 2**28))
    assert (finished.result, finished.exit_code) == (b"", 1)
    assert b"expected Landlock 10000" in finished.log


def test_the_installation_is_its_programs_and_libraries_only(tmp_path: Path) -> None:

    real, home = tmp_path / "real", tmp_path / "home"
    for folder in (real / "bin", real / "lib", real / "private", home / "bin", home / "lib"):
        folder.mkdir(parents=True)
    real.joinpath("bin/python3").touch()
    home.joinpath("pyvenv.cfg").touch()
    home.joinpath("bin/python").symlink_to(real / "bin/python3")
    want = [home / "bin", home / "lib", home / "pyvenv.cfg", real / "bin", real / "lib"]
    assert python_paths(str(home / "bin/python")) == tuple(map(str, want))


def test_the_fence_leaves_room_for_the_longest_program() -> None:
    # One argument on a command line has at most 128 KiB.
    around = with_prelude("", ["/a" * 200] * 6, ["/tmp/" + "x" * 100], kernel_filter(True, "cuda", "x86_64"))
    assert PROGRAM_BYTES_MAX + len(around) < 128 * 2**10


def test_references_installed_beside_torch_are_covered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    skip_without(Level.BUBBLEWRAP)
    venv.create(tmp_path / "own")
    python = str(tmp_path / "own" / "bin" / "python")
    site = next((tmp_path / "own" / "lib").glob("python3*")) / "site-packages"
    (site / "tasks").mkdir()
    (site / "tasks" / "reference.py").write_text("answer = 42")
    monkeypatch.setattr(bubblewrap, "__file__", str(site / "sandbox" / "process" / "bubblewrap.py"))
    look = f"import os; print(os.listdir({str(site)!r}), os.listdir({str(site / 'tasks')!r}))"
    done = subprocess.run(
        bubblewrap.bwrap_command(python, ["-I", "-S", "-c", look]), capture_output=True, text=True, check=True, env={}
    )
    assert done.stdout == "['tasks'] []\n"
