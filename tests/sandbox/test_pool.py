"""A waiting cell is used once and knows nothing of earlier ones; without a waiting cell, a run is a cold run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox.docker.cleanup import clean
from sandbox.docker.sandbox import DockerSandbox
from sandbox.job import Cell, CellLost, Ending, Finished, Job, OpeningSandbox, SandboxError, never
from sandbox.pool import GPU_IDLE_SECONDS, IDLE_SECONDS, Pool
from sandbox.process.sandbox import ProcessSandbox
from tests.recorded import grader
from tests.sandbox.conftest import own_containers, processes_with

pytestmark = pytest.mark.recorded(subject_of=grader)


# Longer than any test may take: a program that sleeps this long ends only because it is killed.
ENDLESS_SECONDS = 10**6
READY = "import os, sys, time\nos.write(1, b'ready ')\ntext = sys.stdin.read()\n"
# Reports how often this program, its folder and its environment were used before.
TRACES = (
    READY + "seen = globals().setdefault('count', 0), os.path.exists('/tmp/note'), os.path.exists('note'), "
    "'NOTE' in os.environ\n"
    "count += 1\nopen('note', 'w').close()\nos.environ['NOTE'] = 'x'\nprint(seen, os.getpid() > 0, text)"
)


def job(program: str = READY + "print(text)", payload: bytes = b"hello", wall_seconds: float = 20.0) -> Job:
    return Job(program, payload, wall_seconds, 512 * 2**20)


class RecordingSandbox:
    """Opens cells like the sandbox, and records them."""

    def __init__(self, sandbox: OpeningSandbox) -> None:
        self.name, self.isolation = sandbox.name, sandbox.isolation
        self.cells: list[Cell] = []
        self._sandbox = sandbox

    def open(self, job: Job, wait_seconds: float = 0.0) -> Cell:
        self.cells.append(self._sandbox.open(job, wait_seconds))
        return self.cells[-1]

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        raise AssertionError("the pool opens cells itself")


@pytest.fixture(params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def recording(request: pytest.FixtureRequest) -> RecordingSandbox:
    return RecordingSandbox(DockerSandbox() if request.param == "docker" else ProcessSandbox(sys.executable))


@pytest.fixture
def pool(request: pytest.FixtureRequest, recording: RecordingSandbox) -> Iterator[Pool]:
    pool = Pool(recording, size=1)
    yield pool
    pool.close()
    if recording.name == "docker":
        assert own_containers() == []


def wait_for(is_true: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def warm(pool: Pool, wanted: Job) -> None:
    pool.warm(wanted)
    wait_for(pool.memory_bytes)


def test_a_cell_waits_ready_serves_once_and_is_replaced_when_asked(pool: Pool, recording: RecordingSandbox) -> None:
    warm(pool, job())
    (cell,) = recording.cells
    assert pool.memory_bytes()[0] > 2**20
    assert pool.run(job()).result == b"ready hello\n"
    assert pool.memory_bytes() == []
    wait_for(lambda: not cell.is_alive())
    pool.refill()
    wait_for(pool.memory_bytes)
    assert len(recording.cells) == 2


def test_a_run_sees_nothing_of_the_one_before(pool: Pool) -> None:
    for payload in (b"first", b"second"):
        warm(pool, job(TRACES))
        text = pool.run(job(TRACES, payload)).result.decode()
        assert text == f"ready (0, False, False, False) True {payload.decode()}\n"


def test_the_deadline_counts_from_the_payload(pool: Pool) -> None:
    slow = job(READY + "time.sleep(0.2)\nprint('done')", wall_seconds=1.5)
    warm(pool, slow)
    time.sleep(1.6)
    finished = pool.run(slow)
    assert (finished.ending, finished.result) == (Ending.EXITED, b"ready done\n")
    endless = job(READY + f"time.sleep({ENDLESS_SECONDS})", wall_seconds=0.5)
    warm(pool, endless)
    assert pool.run(endless).ending is Ending.DEADLINE


def test_a_cancelled_run_ends(pool: Pool) -> None:
    endless = job(READY + f"time.sleep({ENDLESS_SECONDS})", wall_seconds=ENDLESS_SECONDS)
    warm(pool, endless)
    is_asked = threading.Event()
    timer = threading.Timer(0.3, is_asked.set)
    timer.start()
    assert pool.run(endless, is_asked.is_set).ending is Ending.CANCELLED
    timer.join()


def test_a_used_cell_is_killed_although_its_program_goes_on() -> None:
    mark = f"mark-of-the-used-cell-{os.getpid()}"
    pool = Pool(ProcessSandbox(sys.executable), size=1)
    program = READY + f"print('whole', flush=True)\ntime.sleep({ENDLESS_SECONDS}) # {mark}"
    lasting = Job(program, b"", 20.0, 2**29, is_complete=lambda result: b"w" in result)
    warm(pool, lasting)
    assert pool.run(lasting).ending is Ending.RESULT_COMPLETE
    wait_for(lambda: not processes_with(mark))
    pool.close()


def test_a_cell_that_died_waiting_is_passed_over(pool: Pool, recording: RecordingSandbox) -> None:
    dying = job("import os, sys, time\nos.write(1, b'ready ')\ntime.sleep(0.3)\nsys.exit(3)")
    pool.warm(dying)
    pool.wait_idle()
    wait_for(lambda: not recording.cells[0].is_alive())
    finished = pool.run(dying)
    assert (finished.exit_code, finished.result) == (3, b"ready ")
    assert len(recording.cells) == 2  # the program was started again


def test_closing_leaves_no_process_and_no_folder() -> None:
    recording = RecordingSandbox(ProcessSandbox(sys.executable))
    pool = Pool(recording, size=2)
    mark = f"mark-of-the-closed-pool-{os.getpid()}"
    pool.warm(job(READY + f"# {mark}"))
    wait_for(lambda: len(pool.memory_bytes()) == 2)
    assert processes_with(mark)
    folders = [Path(cell.folder) for cell in recording.cells]  # type: ignore[attr-defined]
    assert len(folders) == 2
    assert all(folder.exists() for folder in folders)
    pool.close()
    assert processes_with(mark) == []
    assert not any(folder.exists() for folder in folders)
    pool.refill()
    assert len(recording.cells) == 2


@pytest.mark.docker
def test_what_a_killed_owner_left_is_removed_by_the_next() -> None:
    script = (
        "import time\nfrom tests.sandbox.test_pool import *\nrecording = RecordingSandbox(DockerSandbox())\n"
        "pool = Pool(recording, size=1)\n"
        "warm(pool, job())\nprint(recording.cells[0].name, flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        name = owner.stdout.readline().strip()
        assert name not in clean()
        owner.send_signal(signal.SIGKILL)
    # Another app's reaper may have been faster, but it must be gone.
    clean()
    assert not subprocess.run(
        ["docker", "ps", "-aq", "--filter", f"name={name}"], check=True, capture_output=True
    ).stdout


class PreparedCell:
    ending = Ending.EXITED

    def __init__(self) -> None:
        self.is_closed = False
        self.jobs: list[Job] = []
        self.is_running, self.may_end = threading.Event(), threading.Event()
        self.may_end.set()

    def is_alive(self) -> bool:
        return not self.is_closed

    is_ready = is_alive

    def memory_bytes(self) -> int:
        return 1

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        self.jobs.append(job)
        self.is_running.set()
        assert self.may_end.wait(20.0)
        return Finished(b"", b"", False, self.ending, 0, 0.0, "")

    def close(self) -> None:
        self.is_closed = True


class PreparedSandbox:
    """Opens cells that run nothing; each opening waits for the gate, and fails if it is told to."""

    name = isolation = "prepared"

    def __init__(self) -> None:
        self.cells: list[PreparedCell] = []
        # Returned by the next openings, in place of new cells.
        self.ready: list[PreparedCell] = []
        self.gate = threading.Event()
        self.gate.set()
        self.is_opening = threading.Event()
        self.is_broken = False

    def open(self, job: Job, wait_seconds: float = 0.0) -> PreparedCell:
        # Only cells that are opened in advance are delayed.
        self.is_opening.set()
        assert wait_seconds == 0.0 or self.gate.wait(20.0)
        if self.is_broken:
            raise CellLost("broken", "mend it")
        self.cells.append(self.ready.pop() if self.ready else PreparedCell())
        return self.cells[-1]

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        raise AssertionError("the pool opens cells itself")


def test_cells_that_waited_too_long_are_closed_and_younger_ones_stay() -> None:
    now, sandbox = [0.0], PreparedSandbox()
    pool = Pool(sandbox, size=1, clock=lambda: now[0])
    pool.warm(job())
    pool.wait_idle()
    now[0] = IDLE_SECONDS - 1
    pool.expire()
    assert [cell.is_closed for cell in sandbox.cells] == [False]
    now[0] = IDLE_SECONDS
    pool.expire()
    assert [cell.is_closed for cell in sandbox.cells] == [True]
    assert pool.memory_bytes() == []
    pool.close()


def test_a_cell_that_died_waiting_is_removed_before_its_time() -> None:
    sandbox = PreparedSandbox()
    pool = Pool(sandbox, size=1)
    pool.warm(job())
    pool.wait_idle()
    sandbox.cells[0].close()
    pool.expire()
    pool.refill()
    pool.wait_idle()
    assert [cell.is_closed for cell in sandbox.cells] == [True, False]
    pool.close()


def test_only_a_job_that_a_cell_was_started_for_gets_it() -> None:
    sandbox = PreparedSandbox()
    pool = Pool(sandbox, size=1)
    pool.warm(job())
    pool.wait_idle()
    more_memory = Job(job().program, b"", 20.0, 2**30)
    pool.run(more_memory)
    assert (len(sandbox.cells[0].jobs), len(sandbox.cells[1].jobs)) == (0, 1)
    pool.refill()
    pool.wait_idle()
    assert sandbox.cells[0].is_closed  # the latest kind of job is the one that cells wait for
    pool.run(more_memory)
    assert len(sandbox.cells[2].jobs) == 1
    pool.close()


def test_a_run_takes_the_cell_that_is_being_opened_and_does_not_open_another() -> None:
    sandbox = PreparedSandbox()
    sandbox.gate.clear()
    pool = Pool(sandbox, size=1)
    pool.warm(job())
    assert sandbox.is_opening.wait(20.0)
    threading.Timer(0.2, sandbox.gate.set).start()
    pool.run(job())
    pool.close()
    assert [len(cell.jobs) for cell in sandbox.cells] == [1]


def test_a_run_of_another_kind_does_not_wait_for_an_opening() -> None:
    sandbox = PreparedSandbox()
    sandbox.gate.clear()
    pool = Pool(sandbox, size=1)
    pool.warm(job())
    assert sandbox.is_opening.wait(20.0)
    pool.run(job("pass"))  # the gate is closed, so waiting for the opening would fail
    sandbox.gate.set()
    pool.close()
    assert all(cell.is_closed for cell in sandbox.cells)


def test_nothing_is_opened_while_a_job_runs() -> None:
    sandbox = PreparedSandbox()
    pool = Pool(sandbox, size=2)
    running = PreparedCell()
    running.may_end.clear()
    sandbox.ready.append(running)
    thread = threading.Thread(target=pool.run, args=[job()])
    thread.start()
    assert running.is_running.wait(20.0)
    pool.refill()
    pool.wait_idle()
    assert sandbox.cells == [running]
    running.may_end.set()
    thread.join()
    pool.refill()
    pool.wait_idle()
    assert len(sandbox.cells) == 3
    pool.close()


def test_a_cell_that_gave_its_result_is_removed_when_the_owner_is_idle_and_soon_in_any_case(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PreparedCell, "ending", Ending.RESULT_COMPLETE)
    sandbox = PreparedSandbox()
    pool = Pool(sandbox, size=1)
    monkeypatch.setattr("sandbox.pool.REMOVAL_SECONDS_MAX", 0.01)
    pool.run(job())
    pool.wait_idle()
    assert sandbox.cells[0].is_closed
    monkeypatch.setattr("sandbox.pool.REMOVAL_SECONDS_MAX", 10**6)
    pool.run(job())
    assert not sandbox.cells[1].is_closed
    pool.refill()  # now it is idle
    wait_for(lambda: sandbox.cells[1].is_closed)
    pool.run(job())
    pool.close()
    assert all(cell.is_closed for cell in sandbox.cells)


def test_a_cell_that_gave_no_whole_result_is_removed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.pool.REMOVAL_SECONDS_MAX", 30.0)
    sandbox = PreparedSandbox()
    pool = Pool(sandbox, size=1)
    pool.run(job())
    wait_for(lambda: sandbox.cells[0].is_closed)
    pool.close()


def test_an_engine_that_cannot_open_a_cell_is_told_by_the_run() -> None:
    sandbox = PreparedSandbox()
    sandbox.is_broken = True
    pool = Pool(sandbox, size=1)
    pool.warm(job())
    pool.wait_idle()
    with pytest.raises(CellLost, match="broken"):
        pool.run(job())
    sandbox.is_broken = False
    pool.run(job())
    pool.close()


class OneGpuSandbox(PreparedSandbox):
    """Opens one cell for the GPU at a time, like a lease on a machine's only GPU."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0

    def open(self, job: Job, wait_seconds: float = 0.0) -> PreparedCell:
        if job.device == "cuda" and any(not cell.is_closed for cell in self.cells):
            self.refused += 1
            raise SandboxError("GPU 0 is in use by another grade", "Wait.")
        return super().open(job, wait_seconds)


def gpu_job(memory_bytes: int = 2**29) -> Job:
    return Job("pass", b"", 20.0, memory_bytes, device="cuda")


@pytest.fixture
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Pool, OneGpuSandbox]]:
    """Return a pool whose cells deliver complete results, on a machine with one GPU."""
    monkeypatch.setattr(PreparedCell, "ending", Ending.RESULT_COMPLETE)
    sandbox = OneGpuSandbox()
    pool = Pool(sandbox, size=2)
    yield pool, sandbox
    pool.close()
    assert all(cell.is_closed for cell in sandbox.cells)


def test_jobs_in_a_row_on_the_only_gpu_wait_until_the_cell_before_has_released_it(
    one_gpu: tuple[Pool, OneGpuSandbox],
) -> None:
    pool, sandbox = one_gpu
    for _ in range(3):
        pool.run(gpu_job())
    pool.refill()
    pool.run(gpu_job())
    assert sum(len(cell.jobs) for cell in sandbox.cells) == 4


def test_one_cell_waits_on_a_gpu_and_makes_way_for_another_kind_of_job(one_gpu: tuple[Pool, OneGpuSandbox]) -> None:
    pool, sandbox = one_gpu
    pool.warm(gpu_job())
    pool.wait_idle()
    assert (len(sandbox.cells), sandbox.refused) == (1, 0)
    pool.run(gpu_job(2**30))
    assert [len(cell.jobs) for cell in sandbox.cells] == [0, 1]


def test_a_cell_on_a_gpu_waits_for_a_shorter_time() -> None:
    now, sandbox = [0.0], PreparedSandbox()
    pool = Pool(sandbox, size=1, clock=lambda: now[0])
    pool.warm(gpu_job())
    pool.wait_idle()
    now[0] = GPU_IDLE_SECONDS - 1
    pool.expire()
    assert not sandbox.cells[0].is_closed
    now[0] = GPU_IDLE_SECONDS
    pool.expire()
    assert sandbox.cells[0].is_closed
    pool.close()
