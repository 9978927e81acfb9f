"""What only the process sandbox has to take care of itself."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.fake import FakeSandbox, finished
from sandbox.job import CellLost, Ending, EngineMissing, Job
from sandbox.process.levels import Level
from sandbox.process.sandbox import ProcessSandbox, limits
from tests.recorded import grader
from tests.sandbox.conftest import processes_with

pytestmark = pytest.mark.recorded(subject_of=grader)


def job(program: str, wall_seconds: float = 20.0, device: str = "cpu") -> Job:
    return Job(program, b"", wall_seconds, 2**28, device=device)


def test_nothing_is_left_when_the_app_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, tempfile\nfrom sandbox.process.sandbox import ProcessSandbox\nfrom sandbox.job import Job\n"
        "ProcessSandbox().run(Job('print(1)\\nimport time\\ntime.sleep(80) # ' + '%s', b'', 80.0, 2**28,\n"
        "    is_complete=lambda result: print('up', flush=True)))\n"
    )
    mark = secrets.token_hex(8)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    app = subprocess.Popen([sys.executable, "-c", program % mark], stdout=subprocess.PIPE, env=environment)
    assert app.stdout is not None
    with app, app.stdout:
        assert app.stdout.readline() == b"up\n"
        # App, supervisor and program; bubblewrap adds two more.
        assert len(processes_with(mark)) == (5 if ProcessSandbox().level is Level.BUBBLEWRAP else 3)
        app.kill()
    until = time.monotonic() + 30.0
    while time.monotonic() < until and (processes_with(mark) or any(tmp_path.iterdir())):
        time.sleep(0.05)
    assert processes_with(mark) == []
    assert list(tmp_path.iterdir()) == []


def test_a_slow_start_takes_nothing_from_the_programs_own_time() -> None:
    program = "import time\ntime.sleep({})\nprint('ready', flush=True)\ntime.sleep({})\nprint('done')"
    sandbox = ProcessSandbox(level=Level.PLAIN)
    slow = sandbox.run(job(program.format(2, 2), wall_seconds=3.0))
    assert (slow.ending, slow.result) == (Ending.EXITED, b"ready\ndone\n")
    assert sandbox.run(job(program.format(60, 0), wall_seconds=1.0)).ending is Ending.DEADLINE
    endless = sandbox.run(job(program.format(0, 60), wall_seconds=1.0))
    assert (endless.ending, endless.result) == (Ending.DEADLINE, b"ready\n")
    prepared = replace(job("print('ready', flush=True)", wall_seconds=0.5), preparation="import time\ntime.sleep(2)")
    assert sandbox.run(prepared).result == b"ready\n"


def test_a_program_that_kills_its_keeper_gets_no_result_out_of_it() -> None:
    ended = ProcessSandbox(level=Level.PLAIN).run(job("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"))
    assert (ended.ending, ended.exit_code, ended.result) == (Ending.EXITED, 137, b"")


def test_limits_hold_inside() -> None:
    program = (
        "import resource\n"
        "for name in ('CORE', 'FSIZE', 'NOFILE'): print(*resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))"
    )
    want = limits(job("pass"))
    lines = ProcessSandbox().run(job(program)).result.decode().splitlines()
    assert lines == [f"{want[name]} {want[name]}" for name in ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE")]


def test_with_a_gpu_memory_is_not_limited() -> None:
    assert "RLIMIT_DATA" not in limits(job("pass", device="cuda"))


def test_a_python_that_is_not_there_is_our_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(CellLost, match="/no/such/python"):
        ProcessSandbox("/no/such/python").run(job("pass"))
    assert list(tmp_path.iterdir()) == []


def test_the_clean_up_never_touches_what_a_link_points_to(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.joinpath("file").write_text("mine")
    outside.chmod(0o500)
    ProcessSandbox().run(job(f"import os\nos.symlink({str(outside)!r}, 'link')"))
    assert outside.joinpath("file").read_text() == "mine"
    assert os.stat(outside).st_mode & 0o777 == 0o500


def test_the_fake_plays_its_script_and_remembers_the_jobs() -> None:
    fake = FakeSandbox(
        finished(b"one"),
        EngineMissing("no engine", "start it"),
        lambda asked: finished(asked.payload, ending=Ending.DEADLINE),
    )
    assert fake.run(job("a")).result == b"one"
    with pytest.raises(EngineMissing, match="no engine"):
        fake.run(job("b"))
    assert fake.run(job("c")).exit_code is None
    assert [asked.program for asked in fake.jobs] == ["a", "b", "c"]
    with pytest.raises(AssertionError, match="job 4 has no answer"):
        fake.run(job("d"))
