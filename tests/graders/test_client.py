"""The worker grades and stops when asked; its death is an error of ours, and the next call starts a new one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from graders.client import GraderClient, GradingError, clean_environment
from graders.errors import Cancelled
from graders.verdict import Report, Verdict
from sandbox.pool import best_size
from tests.graders.build import MISTAKES, REFERENCE, RING_REFERENCE, files_of_mean, files_of_ring, write_task
from tests.recorded import grader

pytestmark = [pytest.mark.slow, pytest.mark.recorded(subject_of=grader)]


@pytest.fixture(scope="module")
def client() -> Iterator[GraderClient]:
    client = GraderClient()
    client.start()
    yield client
    client.close()


@pytest.fixture
def cold_client(client: GraderClient) -> GraderClient:
    """Return the client that was never asked to keep a cell warm."""
    return client


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(write_task(tmp_path, files_of_mean()))


def test_it_grades_in_another_process(client: GraderClient, folder: str) -> None:
    report = client.grade(folder, REFERENCE, sandbox="process", seed=7)
    assert report.verdict is Verdict.PASSED
    assert (report.seed, report.sandbox, report.task) == (7, "process", "tiny")
    assert report.seconds["verdict"] >= report.seconds["inside"] > 0
    assert set(report.versions) == {"torch", "python", "interviewer"}
    report = client.grade(folder, "print('seen')\n" + MISTAKES["mean_of_all"], sandbox="process")
    assert report.mistake is not None
    assert report.mistake.id == "mean_of_all"
    assert report.stdout == "seen\n"


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"task": "no_such_task"}, "UnknownTask"),
        ({"sandbox": "vm"}, "UnknownSandbox"),
        ({"device": "cuda"}, "DeviceMissing"),
    ],
)
def test_what_cannot_be_graded_is_our_error(client: GraderClient, folder: str, more: dict[str, str], kind: str) -> None:
    asked = {"task": folder, "device": "cpu", "sandbox": "process", **more}
    with pytest.raises(GradingError) as caught:
        client.grade(asked["task"], REFERENCE, asked["device"], asked["sandbox"])
    assert caught.value.kind == kind
    assert caught.value.message
    assert caught.value.fix


def test_a_grade_can_be_cancelled_and_the_next_one_runs(client: GraderClient, folder: str) -> None:
    timer = threading.Timer(1.0, client.cancel)
    timer.start()
    with pytest.raises(GradingError) as caught:
        client.grade(folder, "while True: pass\n", sandbox="process")
    assert caught.value.kind == "Cancelled"
    assert client.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED


def test_a_grade_that_waits_for_its_turn_can_be_cancelled_and_only_the_next_one_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = GraderClient()
    asked: list[str] = []

    monkeypatch.setattr(client, "start", lambda: None)
    monkeypatch.setattr(client, "_send", lambda request: asked.append(request["source"]))
    monkeypatch.setattr(client, "_receive", lambda child, number: {})

    class TakenTurn(contextlib.AbstractContextManager[None]):
        """Belongs to another call for so long that the grade is cancelled and the next one begins."""

        def __enter__(self) -> None:
            client._turn = threading.Lock()
            client.cancel()
            client._answer({"source": "next"})

        def __exit__(self, *_: object) -> None:
            pass

    client._turn = TakenTurn()  # type: ignore[assignment]
    with pytest.raises(Cancelled):
        client._answer({"source": "cancelled"})
    assert asked == ["next"]


def test_a_worker_that_dies_is_told_and_replaced(client: GraderClient, folder: str) -> None:
    pid = kill_worker(client)
    assert client.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED
    new_pid = client.worker_pid
    assert new_pid is not None
    assert new_pid != pid
    threading.Timer(1.0, lambda: os.kill(new_pid, signal.SIGKILL)).start()
    with pytest.raises(GradingError, match="the grading worker exited") as caught:
        client.grade(folder, "while True: pass\n", sandbox="process")
    assert caught.value.kind == "WorkerDied"


def test_a_batch_is_graded_in_order_and_reads_few_sources_in_advance(client: GraderClient, folder: str) -> None:
    wrong = MISTAKES["mean_of_all"]
    read: list[str] = []

    def sources() -> Iterator[str]:
        for source in (REFERENCE, wrong, "raise ValueError", wrong, REFERENCE, REFERENCE):
            read.append(source)
            yield source

    in_advance, verdicts = [], []
    for report in client.grade_many(folder, sources(), device="cpu", sandbox="process", image="", seed=3):
        assert isinstance(report, Report)
        assert report.seed == 3
        verdicts.append(report.verdict)
        in_advance.append(len(read) - len(verdicts))
    assert verdicts == [
        Verdict.PASSED, Verdict.WRONG_VALUE, Verdict.NOT_LOADED, Verdict.WRONG_VALUE, Verdict.PASSED, Verdict.PASSED
    ]  # fmt: skip
    assert in_advance == [2, 2, 2, 2, 1, 0]
    assert client.grade(folder, wrong, sandbox="process").verdict is Verdict.WRONG_VALUE


def test_only_the_submission_that_kills_the_worker_is_ungraded(
    client: GraderClient, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = client._send

    def send_and_kill(message: dict[str, Any]) -> None:
        send(message)
        if message["source"] == "kills":
            os.kill(client.worker_pid or 0, signal.SIGKILL)

    monkeypatch.setattr(client, "_send", send_and_kill)
    sources = iter((REFERENCE, "kills", REFERENCE, REFERENCE, REFERENCE))
    reports = list(client.grade_many(folder, sources, device="cpu", sandbox="process", image="", seed=3))
    kinds = [report.kind if isinstance(report, GradingError) else report.verdict for report in reports]
    assert kinds == [Verdict.PASSED, "WorkerDied", Verdict.PASSED, Verdict.PASSED, Verdict.PASSED]


def test_a_cancelled_batch_ends(client: GraderClient, folder: str) -> None:
    threading.Timer(1.0, client.cancel).start()
    reports = client.grade_many(
        folder, iter(("while True: pass",) * 4), device="cpu", sandbox="process", image="", seed=3
    )
    assert [isinstance(report, GradingError) and report.kind for report in reports] == ["Cancelled"] * 4
    assert client.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED


def test_the_worker_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("PATH", "/bin")
    assert clean_environment(os.environ)["PATH"] == "/bin"
    assert "secret" not in clean_environment(os.environ).values()


def test_the_worker_goes_with_the_app() -> None:
    client = GraderClient()
    client.start()
    pid = client.worker_pid
    assert pid is not None
    client.close()
    assert client.worker_pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    client.close()


def test_a_worker_whose_app_was_killed_ends_by_itself(folder: str) -> None:
    request = {"id": 1, "task": folder, "source": "while True: pass\n", "device": "cpu", "sandbox": "process"}
    line = json.dumps({**request, "image": "", "seed": None}) + "\n"
    words = [sys.executable, "-P", "-m", "graders.worker"]
    environment = clean_environment(os.environ)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment) as worker:
        assert worker.stdin is not None
        worker.stdin.write(line.encode())
        worker.stdin.flush()
        time.sleep(3)
        assert worker.poll() is None
        # The kernel closes the pipe of an app that is killed.
        worker.stdin.close()
        try:
            assert worker.wait(20) == 0
        finally:
            worker.kill()


@pytest.mark.parametrize("kind", ["process", pytest.param("docker", marks=pytest.mark.docker)])
def test_every_submission_finds_a_warm_cell(
    folder: str,
    kind: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    temp = tmp_path_factory.mktemp("worker")
    monkeypatch.setenv("TMPDIR", str(temp))
    client = GraderClient()
    client.start(kind)
    for source in (REFERENCE, MISTAKES["mean_of_all"], REFERENCE):
        wait_for_warm_cell(client, best_size())
        report = client.grade(folder, source, sandbox=kind)
        # One was taken. The next cell is not ready before it has imported torch, which takes much longer than this
        # request.
        cells = client.warm_cells()
        assert cells is not None
        assert len(cells) < best_size()
        assert (report.verdict is Verdict.PASSED) == (source == REFERENCE)
    wait_for_warm_cell(client)
    assert list(temp.iterdir())
    client.close()
    # A worker that is killed, because it takes too long to end, leaves its folder behind.
    assert list(temp.iterdir()) == []


def test_without_a_wish_no_cell_waits(client: GraderClient, folder: str) -> None:
    client.grade(folder, REFERENCE, sandbox="process")
    time.sleep(0.3)
    assert client.warm_cells() == []


def test_a_task_that_is_opened_gets_cells_of_its_own_kind(cold_client: GraderClient, tmp_path: Path) -> None:
    ring = str(write_task(tmp_path / "ring", files_of_ring()))
    client = GraderClient()
    client.prepare(ring)  # without a worker it does nothing
    client.start("process")
    wait_for_warm_cell(client)
    client.prepare(ring)
    # Answered after it, so the cell of the usual kind is given up by now or being replaced.
    client.warm_cells()
    wait_for_warm_cell(client)
    report = client.grade(ring, RING_REFERENCE, sandbox="process")
    assert report.verdict is Verdict.PASSED
    # A cold one imports torch and the optimizers first.
    cold = cold_client.grade(ring, RING_REFERENCE, sandbox="process")
    assert report.seconds["wait"] < cold.seconds["wait"]
    client.close()


def test_the_cell_that_waits_is_for_the_device_of_the_last_submission(tmp_path: Path) -> None:
    files = files_of_mean()
    files["task.toml"] = files["task.toml"].replace('["cpu"]', '["cpu", "cuda"]')
    folder = str(write_task(tmp_path, files))
    client = GraderClient()
    client.start("process")
    wait_for_cell(client, "cpu")
    client.prepare(folder, "cuda")
    wait_for_cell(client, "cuda")
    with suppress(GradingError):  # this machine may have no GPU
        client.grade(folder, REFERENCE, device="cuda", sandbox="process")
    wait_for_cell(client, "cuda")
    client.grade(folder, REFERENCE, sandbox="process")
    wait_for_cell(client, "cpu")
    client.close()


def test_a_new_worker_warms_again(folder: str) -> None:
    client = GraderClient()
    client.start("process")
    wait_for_warm_cell(client)
    kill_worker(client)
    assert client.warm_cells() is None
    client.grade(folder, REFERENCE, sandbox="process")
    wait_for_warm_cell(client)
    client.close()


def test_an_app_that_ends_at_once_does_not_wait_for_torch() -> None:
    client = GraderClient()
    client.start("process")
    time.sleep(0.6)
    assert client._child is not None
    child = client._child
    client.close()
    assert child.poll() == 0  # it exited by itself, before the client's timeout


def kill_worker(client: GraderClient) -> int:
    """Kill the worker, wait until it is gone, and return its process id."""
    pid = client.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 10
    while client.worker_pid is not None:
        assert time.monotonic() < end, "the worker survived"
        time.sleep(0.01)
    return pid


def wait_for_warm_cell(client: GraderClient, count: int = 1) -> None:
    end = time.monotonic() + 60
    while len(client.warm_cells() or []) < count:
        assert time.monotonic() < end, "no cell became ready"
        time.sleep(0.05)


def wait_for_cell(client: GraderClient, device: str) -> None:
    """Wait until all waiting cells are for this device; its name is in the cell's program."""
    end = time.monotonic() + 60
    while not client.warm_cells() or devices_of_cells(client) != {device}:
        assert time.monotonic() < end, f"no cell for {device} became ready"
        time.sleep(0.05)


def devices_of_cells(client: GraderClient) -> set[str]:
    """Return the devices in the programs of the worker's child processes, which are the supervisors of its cells."""
    listing = subprocess.run(["ps", "-axwwo", "ppid,args"], capture_output=True, text=True, check=True)
    cells = [line for line in listing.stdout.splitlines() if line.split()[:1] == [str(client.worker_pid)]]
    return {device for cell in cells for device in re.findall(r"module\.prepare\(\W*(cpu|cuda)\b", cell)}


def test_a_client_whose_poll_was_interrupted_still_closes() -> None:
    client = GraderClient()
    client.start()
    child = client._child
    assert isinstance(child, subprocess.Popen)
    # As KeyboardInterrupt leaves it between the two lines of Popen's poll that take the lock and release it.
    child._waitpid_lock.acquire()  # type: ignore[attr-defined]
    closing = threading.Thread(target=client.close, daemon=True)
    closing.start()
    closing.join(30.0)
    assert not closing.is_alive()
