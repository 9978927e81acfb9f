"""Runs one job in a started container; the deadline starts with the payload, and the container is always removed."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, Protocol

from sandbox.docker.cleanup import remove
from sandbox.docker.engine import engine_errors
from sandbox.docker.gpu import Lease
from sandbox.job import CellLost, Ending, Finished, Job, never
from sandbox.stream import OutputCollector, PayloadWriter, listen, pump

HEADER_BYTES = 8
STDOUT = 1
# How long to wait after the last output byte for the engine to report the exit; the program itself is done by then.
EXIT_SECONDS = 10.0
# The engine reports an out-of-memory kill in a separate event. On a busy machine, this event arrives after the exit.
OOM_EVENT_SECONDS = 1.0
KILLED = 128 + signal.SIGKILL


class Attachment:
    """The standard streams of a started container, over their own connection to the engine."""

    def __init__(self, client: Any, name: str, lease: Lease | None = None) -> None:
        self.client = client
        self.name = name
        self._lease = lease
        self._is_open = True
        with engine_errors("starting the container"):
            # Attach before starting the container: the container has no log, so any earlier output would be lost.
            self._stream = client.attach_socket(name, {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
            client.start(name)
        self._sender = socket.socket(fileno=os.dup(self._stream.fileno()))
        self.is_attached = True

    @property
    def stream(self) -> int:
        """Return the file descriptor for the frames of standard output and standard error."""
        return int(self._stream.fileno())

    @property
    def sender(self) -> int:
        """Return the file descriptor for standard input."""
        return self._sender.fileno()

    def close_input(self) -> None:
        """Close the container's standard input."""
        _shut_down(self._sender, socket.SHUT_WR)

    def detach(self) -> None:
        """Close the attached stream.

        Close the stream before killing the container: Docker Engine 20.10 hangs during a kill if an attached client
        has stopped reading. Shut the socket down as well, because docker-py also holds the connection until it is
        garbage-collected.
        """
        if self.is_attached:
            self.is_attached = False
            _shut_down(self._sender, socket.SHUT_RDWR)
            self._sender.close()
            self._stream._response.close()
            self._stream.close()

    def close(self) -> None:
        """Kill and remove the container, and disconnect. Raises CellLost if the container may still be running."""
        if not self._is_open:
            return
        self._is_open = False
        self.detach()
        try:
            remove(self.client, self.name)
        finally:
            self.client.close()
            if self._lease is not None:
                self._lease.release()


class DockerCell:
    """One container that serves a single job."""

    def __init__(self, attachment: Attachment, job: Job, isolation: str) -> None:
        self.name = attachment.name
        self._attachment = attachment
        self._client = attachment.client
        self._isolation = isolation
        self._collector = OutputCollector(job)
        self._readers = {attachment.stream: Frames(self._collector).take}

    def is_alive(self) -> bool:
        """Return whether the program is still waiting, and read its pending output."""
        return self._attachment.is_attached and listen(self._collector, self._readers)

    def is_ready(self) -> bool:
        """Return whether the program is waiting and has reported that it is ready."""
        return self.is_alive() and bool(self._collector.result)

    def memory_bytes(self) -> int:
        """Return the container's memory use as the engine reports it, excluding reclaimable file cache."""
        with engine_errors("measuring the container's memory"):
            usage = self._client.stats(self.name, stream=False, one_shot=True)["memory_stats"]
        # cgroups v1 and v2 use different names for the inactive file cache; a stopped container has no statistics.
        kinds = usage.get("stats", {})
        return int(usage.get("usage", 0) - kinds.get("total_inactive_file", kinds.get("inactive_file", 0)))

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Send the payload and return the output; the deadline starts now.

        Raises CellLost if the container disappeared.
        """
        collector, attachment = self._collector, self._attachment
        collector.begin(job, is_cancelled)
        try:
            feed = PayloadWriter(attachment.sender, job.payload, attachment.close_input)
            pump(collector, self._readers, attachment.stream, feed)
        finally:
            attachment.detach()
        if collector.ending is not None:
            return collector.finished(collector.ending, None, self._isolation)
        return self._exited()

    def close(self) -> None:
        """Kill and remove the container, and disconnect. Raises CellLost if the container may still be running."""
        self._attachment.close()

    def _exited(self) -> Finished:
        """Return the output of a program that exited on its own, or was killed by its memory limit."""
        with engine_errors("reading the container's exit state"):
            exit_code: int = self._client.wait(self.name, timeout=EXIT_SECONDS)["StatusCode"]
            state = self._client.inspect_container(self.name)["State"]
        if state["Error"]:
            raise CellLost(f"the container did not run: {state['Error']}", "Try again; see `interviewer doctor`.")
        # OOMKilled is also set if a child was killed but its parent survived and exited with its own code.
        is_out_of_memory = state["OOMKilled"] and exit_code != 0
        if exit_code == KILLED and not is_out_of_memory:
            is_out_of_memory = self._has_oom_event()
        ending = Ending.OUT_OF_MEMORY if is_out_of_memory else Ending.EXITED
        return self._collector.finished(ending, exit_code, self._isolation)

    def _has_oom_event(self) -> bool:
        """Return whether the engine reports a memory kill in this container, now or within OOM_EVENT_SECONDS."""
        with engine_errors("reading the container's events"):
            events = self._client.events(
                since=1,  # all events that the engine still has; the container's name is unique
                until=f"{time.time() + OOM_EVENT_SECONDS:.3f}",
                filters={"container": self.name, "event": "oom"},
            )
            return any(True for _ in events)


class Taker(Protocol):
    """Receives a program's result and log in chunks."""

    def take_result(self, chunk: bytes) -> None:
        """Process the next bytes of the result."""
        ...

    def take_log(self, chunk: bytes) -> None:
        """Process the next bytes of the log."""
        ...


class Frames:
    """Splits the engine's single stream into result and log; each frame has a stream number, a length and data."""

    def __init__(self, taker: Taker) -> None:
        self.taker = taker
        self._header = b""
        self._left_bytes = 0

    def take(self, chunk: bytes) -> None:
        """Forward the chunk's data; a frame may start or end anywhere in the chunk."""
        while chunk:
            if self._left_bytes == 0:
                wanted = HEADER_BYTES - len(self._header)
                self._header, chunk = self._header + chunk[:wanted], chunk[wanted:]
                if len(self._header) == HEADER_BYTES:
                    self._left_bytes = int.from_bytes(self._header[4:], "big")
                    self._is_result = self._header[0] == STDOUT
                    self._header = b""
                continue
            part, chunk = chunk[: self._left_bytes], chunk[self._left_bytes :]
            self._left_bytes -= len(part)
            if self._is_result:
                self.taker.take_result(part)
            else:
                self.taker.take_log(part)


def _shut_down(connection: socket.socket, halves: int) -> None:
    try:
        connection.shutdown(halves)
    except OSError:
        return  # the other side has already closed
