"""A broken sandbox is our failure, with a way to fix it, whatever the submission, which can be graded again."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from graders.errors import RunnerBroken
from graders.grade import grade
from graders.verdict import Verdict
from sandbox.docker.cleanup import remove
from sandbox.docker.engine import connect
from sandbox.docker.image import image_tag
from sandbox.docker.sandbox import DockerSandbox
from sandbox.job import CellLost, SandboxError
from tasks.task import Task
from tests.graders.build import REFERENCE, files_of_mean, make_task
from tests.recorded import grader
from tests.sandbox.conftest import own_containers

pytestmark = [pytest.mark.docker, pytest.mark.recorded(subject_of=grader)]
ENGINE = "/var/run/docker.sock"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_mean())


class Engine:
    """Sits between a client and the engine; it can disappear like an engine that is stopped."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._open: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(ENGINE)
                self._open += [near, far]
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    @staticmethod
    def _carry(near: socket.socket, far: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), selectors.DefaultSelector() as selector:
            selector.register(near, selectors.EVENT_READ, far)
            selector.register(far, selectors.EVENT_READ, near)
            while True:
                for key, _ in selector.select():
                    if not (chunk := os.read(key.fd, 1 << 16)):
                        return
                    key.data.sendall(chunk)

    def stop(self) -> None:
        """Break every connection and accept no more."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


@pytest.mark.skipif(not Path(ENGINE).exists(), reason="the engine's socket is elsewhere")
def test_an_engine_that_stops_in_the_middle_is_told_and_the_next_grade_works(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(tmp_path / "engine.sock")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/engine.sock")
    slow = REFERENCE.replace("    kept =", "    import time\n    time.sleep(5)\n    kept =")
    timer = threading.Timer(4.0, engine.stop)
    timer.start()
    with pytest.raises(SandboxError) as caught:
        grade(task, slow, DockerSandbox())
    assert "Docker" in caught.value.fix or "doctor" in caught.value.fix
    monkeypatch.delenv("DOCKER_HOST")
    with connect() as client:
        for name in own_containers():
            remove(client, name)
    assert grade(task, REFERENCE, DockerSandbox()).verdict is Verdict.PASSED


@contextlib.contextmanager
def changed_image(command: str) -> Iterator[str]:
    """Return the tag of our image after a command has changed it."""
    with connect() as client:
        made = client.create_container(
            image_tag(), entrypoint=["/bin/sh", "-c", command], user="0", network_disabled=True
        )
        try:
            client.start(made["Id"])
            assert client.wait(made["Id"])["StatusCode"] == 0
            client.commit(made["Id"], "interviewer-test-broken", "1")
        finally:
            client.remove_container(made["Id"], force=True)
    try:
        yield "interviewer-test-broken:1"
    finally:
        with connect() as client:
            client.remove_image("interviewer-test-broken:1", force=True)


def test_an_image_without_torch_is_named(task: Task) -> None:
    with changed_image("rm /opt/sandbox/lib/python3*/site-packages/torch/__init__.py") as tag:
        with pytest.raises(RunnerBroken, match="was not ready") as caught:
            grade(task, REFERENCE, DockerSandbox(tag))
        assert "torch" in caught.value.message
        assert "grade it again" in caught.value.fix


def test_a_container_that_dies_at_start_is_named(task: Task) -> None:
    with changed_image("rm /opt/sandbox/bin/python*") as tag:
        with pytest.raises(RunnerBroken, match=r"exec .*python failed"):
            grade(task, REFERENCE, DockerSandbox(tag))
        assert own_containers() == []


def test_a_full_disk_is_named(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise docker.errors.APIError("500", explanation="mkdir /var/lib/docker/overlay2/x: no space left on device")

    monkeypatch.setattr(docker.APIClient, "create_container_from_config", full)
    with pytest.raises(CellLost, match="disk is full") as caught:
        grade(task, REFERENCE, DockerSandbox())
    assert "docker system prune" in caught.value.fix
