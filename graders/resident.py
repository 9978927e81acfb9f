"""A grading worker that outlives its app by ten minutes, so that torch is already imported for the next command.

It listens on a Unix socket in a folder that only its user can access, and serves one client at a time. The socket's
name depends on everything that affects the answers: the interpreter, torch, the environment and the grading code. A
client that finds no worker there starts its own.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import socket
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

STAY_SECONDS = 600.0
GREETING_SECONDS = 1.0
ROOT = Path(__file__).parents[1]
CODE = ("graders/**/*.py", "sandbox/**/*.py", "tasks/*.py")


def address(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """Return the socket's path in this folder, for a worker with this environment; None if the folder is not private.

    The folder is created if it does not exist.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    if status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
        return None
    files = sorted(path for pattern in CODE for path in ROOT.glob(pattern))
    states = [(str(path), path.stat().st_mtime_ns) for path in files]
    seen = [sys.executable, importlib.metadata.version("torch"), sorted(environment.items()), states]
    return folder / hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


class ResidentWorker:
    """The client's end of the connection to a resident worker; can be used in place of a child process."""

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self.pid = pid
        self._connection = connection
        self.stdin = connection.makefile("w", encoding="utf-8")
        self.stdout = connection.makefile("r", encoding="utf-8")

    def poll(self) -> int | None:
        """Return None while the worker is running, then 0."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def close(self) -> None:
        """Close the connection; the worker stops its work for this client and waits for the next one."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        for file in (self.stdin, self.stdout, self._connection):
            with suppress(OSError):
                file.close()


def find_resident(path: Path) -> ResidentWorker | None:
    """Return a connection to the resident worker at this path; None if it is missing or busy with another client."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(GREETING_SECONDS)
        connection.connect(str(path))
        # The worker's first message is a short one-line greeting.
        pid = json.loads(connection.recv(100))["pid"]
        connection.settimeout(None)
    except (OSError, ValueError):
        connection.close()
        return None
    return ResidentWorker(connection, pid)


def wait_for_client(path: Path, seconds: float) -> socket.socket | None:
    """Listen at this path, and return the connection to the next client after greeting it; None after a timeout.

    Also return None if another resident worker is already listening there. While a client is being served, the path
    does not exist.
    """
    if other := find_resident(path):
        other.close()
        return None
    with socket.socket(socket.AF_UNIX) as server, suppress(OSError):  # A timeout is an OSError, too.
        path.unlink(missing_ok=True)  # A worker that was killed may have left this socket behind.
        server.bind(str(path))
        try:
            server.listen(1)
            server.settimeout(seconds)
            connection, _ = server.accept()
        finally:
            path.unlink(missing_ok=True)
        connection.settimeout(None)
        with suppress(OSError):
            connection.sendall(json.dumps({"pid": os.getpid()}).encode() + b"\n")
        return connection
    return None
