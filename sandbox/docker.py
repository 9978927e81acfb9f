"""Runs each job in a container of its own, which is checked before it starts and removed whatever happens."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from typing import Any

from sandbox.cell import IMAGE_LABEL, container_config, differences
from sandbox.engine import BUILD_IMAGE, connect, engine_errors
from sandbox.image import image_tag
from sandbox.job import (
    CellLost,
    Ending,
    Finished,
    ImageMissing,
    IsolationRefused,
    Job,
    SandboxError,
    check_program,
    never,
)
from sandbox.owner import owner_labels
from sandbox.stream import Feed, Intake, pump
from sandbox.upkeep import remove, remove_stale

HEADER_BYTES = 8
STDOUT = 1
# From the last byte to the reported exit; the program is over by then, only the engine is at work.
EXIT_SECONDS = 10.0


class DockerSandbox:
    """Run each job in a fresh container: no network, no mounts, no rights, limits on everything that can run out."""

    name = "docker"
    isolation = (
        "Docker container for this run only: no network, no mounts, read-only, no capabilities, unprivileged user, "
        "limits on memory, processes, cores and time; the kernel is shared."
    )

    def __init__(self, image: str | None = None) -> None:
        self.image = image or image_tag()
        self._cores = 0

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in a fresh container; nothing of it is left.

        Raises: EngineMissing, ImageMissing, IsolationRefused, CellLost; SandboxError when there is no GPU to give.
        """
        check_program(job)
        with connect() as client:
            return self._run(client, job, is_cancelled)

    def _run(self, client: Any, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
        self._prepare(client)
        # The name is ours before the container is, so that an interrupted create can be cleaned up as well.
        name = f"interviewer-{os.getpid()}-{secrets.token_hex(6)}"
        try:
            self._create(client, name, job)
            finished = self._converse(client, name, job, is_cancelled)
        except BaseException:
            _remove_quietly(client, name)
            raise
        remove(client, name)
        return finished

    def _prepare(self, client: Any) -> None:
        """Count the engine's cores and remove what crashed apps left, once for each sandbox object."""
        if self._cores == 0:
            remove_stale(client)
            with engine_errors("asking the engine about its machine"):
                self._cores = client.info()["NCPU"]

    def _create(self, client: Any, name: str, job: Job) -> None:
        asked = container_config(job, self.image, owner_labels(job.wall_seconds), self._cores)
        with engine_errors(f"creating a container from {self.image}"):
            client.create_container_from_config(asked, name)
            reported = client.inspect_container(name)
        if IMAGE_LABEL not in reported["Config"]["Labels"]:
            raise ImageMissing(f"image {self.image}: expected label {IMAGE_LABEL}, got none", BUILD_IMAGE)
        wrong = differences(asked, reported)
        if wrong:
            fix = "Change the engine so that it grants this, or choose the process sandbox; `interviewer doctor` tells."
            raise IsolationRefused(f"the engine weakened the container: {'; '.join(wrong)}", fix)

    def _converse(self, client: Any, name: str, job: Job, is_cancelled: Callable[[], bool]) -> Finished:
        with engine_errors("starting the container"):
            # Attached before the start, or the first output would be lost: there is no log to read it from.
            stream = client.attach_socket(name, {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
            client.start(name)
        sender = socket.socket(fileno=os.dup(stream.fileno()))
        try:
            intake = Intake(job, is_cancelled)
            frames = Frames(intake)
            feed = Feed(sender.fileno(), job.payload, lambda: _shut_down(sender, socket.SHUT_WR))
            pump(intake, {stream.fileno(): frames.take}, stream.fileno(), feed)
        finally:
            # Before the kill: engine 20.10 hangs in it while an attached client has stopped reading. Shut down, not
            # only closed, since docker-py holds the connection as well, until the garbage collector comes by.
            _shut_down(sender, socket.SHUT_RDWR)
            sender.close()
            stream._response.close()
            stream.close()
        if intake.ending is not None:
            return intake.finished(intake.ending, None, self.isolation)
        return self._exited(client, name, intake)

    def _exited(self, client: Any, name: str, intake: Intake) -> Finished:
        """Return what came back from a program that ended by itself, or was ended by its memory limit."""
        with engine_errors("asking how the container ended"):
            exit_code: int = client.wait(name, timeout=EXIT_SECONDS)["StatusCode"]
            state = client.inspect_container(name)["State"]
        if state["Error"]:
            raise CellLost(f"the container did not run: {state['Error']}", "Try again; see `interviewer doctor`.")
        # The flag is also set when a child was killed and its parent lived on to exit with a code of its own.
        is_out_of_memory = state["OOMKilled"] and exit_code != 0
        return intake.finished(Ending.OUT_OF_MEMORY if is_out_of_memory else Ending.EXITED, exit_code, self.isolation)


class Frames:
    """Split the engine's one stream into result and log; a frame is a stream number, a length and that many bytes."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._header = b""
        self._left_bytes = 0

    def take(self, chunk: bytes) -> None:
        """Hand on what the chunk holds; frames may begin and end anywhere in it."""
        while chunk:
            if self._left_bytes == 0:
                wanted = HEADER_BYTES - len(self._header)
                self._header, chunk = self._header + chunk[:wanted], chunk[wanted:]
                if len(self._header) == HEADER_BYTES:
                    self._left_bytes = int.from_bytes(self._header[4:], "big")
                    self._take = self._intake.take_result if self._header[0] == STDOUT else self._intake.take_log
                    self._header = b""
                continue
            part, chunk = chunk[: self._left_bytes], chunk[self._left_bytes :]
            self._left_bytes -= len(part)
            self._take(part)


def _shut_down(connection: socket.socket, halves: int) -> None:
    try:
        connection.shutdown(halves)
    except OSError:
        return  # the other side is gone already


def _remove_quietly(client: Any, name: str) -> None:
    """Remove while another error is under way: that one explains more, and the reaper gets what is left."""
    try:
        remove(client, name)
    except SandboxError:
        return
