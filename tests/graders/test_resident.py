"""A worker that stays after its app ended serves one client after another, and nobody waits for one that has died."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from graders import client as clients
from graders.client import GraderClient, clean_environment
from graders.resident import ResidentWorker, address, find_resident, wait_for_client
from graders.verdict import Verdict
from tests.graders.build import REFERENCE, files_of_mean, write_task
from tests.recorded import grader

pytestmark = [pytest.mark.slow, pytest.mark.recorded(subject_of=grader)]


@pytest.fixture
def residence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("r") / "g"  # the path of a socket has at most 108 bytes


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(write_task(tmp_path, files_of_mean()))


@pytest.fixture
def resident_pid(residence: Path) -> Iterator[int]:
    """Leave a worker running, as the app does, and return its process id."""
    client = GraderClient(residence)
    client.start("process")
    pid = client.worker_pid
    assert pid is not None
    client.close(stays=True)
    until(lambda: any(residence.iterdir()))
    yield pid
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def once_it_waits(path: Path) -> ResidentWorker:
    """Return the connection to the worker at this address, as soon as it waits for a client."""
    while (found := find_resident(path)) is None:
        time.sleep(0.02)
    return found


def is_running(pid: int) -> bool:
    """Return whether the process is running; a zombie is not."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_client_after_another_is_served_by_the_worker_that_stayed(
    residence: Path, resident_pid: int, folder: str
) -> None:
    for _ in range(2):
        client = GraderClient(residence)
        assert client.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED
        assert client.worker_pid == resident_pid
        client.close()
        assert is_running(resident_pid)
        until(lambda: any(residence.iterdir()))


def test_a_second_client_at_the_same_time_starts_a_worker_of_its_own(
    residence: Path, resident_pid: int, folder: str
) -> None:
    first, second = GraderClient(residence), GraderClient(residence)
    first.start()
    assert first.worker_pid == resident_pid
    assert second.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED
    assert second.worker_pid not in {None, resident_pid}
    first.close()
    second.close()


def test_a_client_that_leaves_in_the_middle_of_a_grade_blocks_nobody(
    residence: Path, resident_pid: int, folder: str
) -> None:
    first = GraderClient(residence)
    first.start()
    assert isinstance(first._child, ResidentWorker)
    request = {"id": 1, "task": folder, "source": "while True: pass\n", "device": "cpu", "sandbox": "process"}
    first._write({**request, "image": "", "seed": None})
    first.close()
    until(lambda: any(residence.iterdir()))
    second = GraderClient(residence)
    assert second.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED
    assert second.worker_pid == resident_pid
    second.close()


def test_a_worker_that_dies_under_its_client_is_replaced_and_nothing_is_lost(
    residence: Path, resident_pid: int, folder: str
) -> None:
    client = GraderClient(residence)
    client.start()
    assert client.worker_pid == resident_pid
    os.kill(resident_pid, signal.SIGKILL)
    until(lambda: not is_running(resident_pid))
    assert client.grade(folder, REFERENCE, sandbox="process").verdict is Verdict.PASSED
    client.close()


def test_an_address_whose_worker_was_killed_is_used_again(residence: Path, resident_pid: int, folder: str) -> None:
    os.kill(resident_pid, signal.SIGKILL)
    until(lambda: not is_running(resident_pid))
    assert list(residence.iterdir())
    client = GraderClient(residence)
    client.start()
    pid = client.worker_pid
    assert pid is not None
    assert isinstance(client._child, subprocess.Popen)
    client.close(stays=True)
    path = address(residence, clean_environment(os.environ))
    assert path is not None
    found = once_it_waits(path)  # where the other one waited
    assert found.pid == pid
    found.close()
    os.kill(pid, signal.SIGKILL)


def test_an_app_that_quits_while_it_waits_for_an_answer_does_not_wait_as_long_as_the_worker_stays(
    residence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = GraderClient(residence)
    client.start()
    pid, send, is_sent = client.worker_pid, client._send, Event()
    assert pid is not None

    def send_and_tell(message: dict[str, Any]) -> None:
        send(message)
        is_sent.set()

    monkeypatch.setattr(client, "_send", send_and_tell)
    asking = Thread(target=client.warm_cells, daemon=True)  # not answered before torch is imported
    asking.start()
    assert is_sent.wait(30.0)
    quitting = Thread(target=client.close, args=[True], daemon=True)
    quitting.start()
    for thread in (quitting, asking):
        thread.join(30.0)
    try:
        assert not quitting.is_alive()
        assert not asking.is_alive()
        assert is_running(pid)
    finally:
        os.kill(pid, signal.SIGKILL)


def test_it_ends_when_nobody_comes(residence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "STAY_SECONDS", 0.2)
    client = GraderClient(residence)
    client.start()
    pid = client.worker_pid
    assert pid is not None
    client.close(stays=True)
    until(lambda: not is_running(pid))
    assert not list(residence.iterdir())


def test_nobody_waits_where_somebody_waits_already(residence: Path, resident_pid: int) -> None:
    path = address(residence, clean_environment(os.environ))
    assert path is not None
    assert wait_for_client(path, 0.1) is None
    found = once_it_waits(path)  # it has greeted the probe first
    assert found.pid == resident_pid
    found.close()


def test_the_address_tells_what_answers_depend_on(residence: Path) -> None:
    one = address(residence, {"PATH": "/bin"})
    assert one is not None
    assert one == address(residence, {"PATH": "/bin"})
    assert one != address(residence, {"PATH": "/bin", "DOCKER_HOST": "tcp://elsewhere"})


def test_a_folder_that_others_can_enter_is_not_used(residence: Path) -> None:
    residence.mkdir(mode=0o755)
    assert address(residence, {}) is None
    residence.chmod(0o700)
    assert address(residence, {}) is not None


def test_a_stranger_at_the_address_is_not_waited_for(residence: Path) -> None:
    residence.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(residence / "silent"))
        server.listen()
        answering = Thread(target=lambda: server.accept()[0].sendall(b"not json\n"), daemon=True)
        answering.start()
        assert find_resident(residence / "silent") is None
        assert find_resident(residence / "silent") is None  # this time, it sends nothing
    assert find_resident(residence / "silent") is None
