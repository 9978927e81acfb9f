"""Run the app process of a browser tab. After `stop` returns, the process is guaranteed to have ended."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from interviewer.cli.serve import NOTE_TYPE, READY, SERVER_VARIABLE

SETTLE_SECONDS = 0.2
QUIT_SECONDS = 3.0
KILL_SECONDS = 2.0
CHUNK_BYTES = 65536


class Tab(AppService):
    """Runs the app in a process of its own for one browser tab, which is connected through a socket.

    `noted` is called with text that says which session is open in the app, or with "" if no session is open.
    """

    def __init__(
        self,
        command: Sequence[str],
        socket: web.WebSocketResponse,
        downloads: DownloadManager,
        noted: Callable[[str], None],
    ) -> None:
        async def close() -> None:
            # A socket that was rejected before it opened cannot be closed.
            if socket.prepared and not socket.closed:
                await socket.close()

        super().__init__(
            shlex.join(command),
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=close,
            download_manager=downloads,
        )
        self._arguments = command
        self._noted = noted
        self._opening: asyncio.Task[Process] | None = None
        self._ending: asyncio.Task[None] | None = None

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # Start a new process group, so that the app's child processes end with it. Do not use a shell, because it would
        # receive the signals.
        self._process = process = await asyncio.create_subprocess_exec(
            *self._arguments,
            stdin=PIPE,
            stdout=PIPE,
            env={**self._build_environment(width, height), SERVER_VARIABLE: str(os.getpid())},
            start_new_session=True,
        )
        self._stdin = process.stdin
        return process

    async def start(self, width: int, height: int) -> None:
        """Start the app with this size in cells; do nothing if `stop` was called."""
        if self._ending is None:
            self._opening = asyncio.create_task(self._open_app_process(width, height))
            await asyncio.shield(self._opening)
        if self._ending is None:
            self._task = asyncio.create_task(self.run())

    async def run(self) -> None:
        """Relay the app's output until the app ends or the browser disconnects."""
        assert self._process
        assert self._process.stdout
        stdout = self._process.stdout
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await stdout.readuntil(READY)
            while True:
                head = await stdout.readexactly(5)
                payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
                if head[:1] == b"D":
                    await self.on_data(payload)
                elif head[:1] == b"M":
                    await self.on_meta(payload)
                else:
                    await self.on_packed(payload)
        await self.remote_close()

    async def on_meta(self, data: bytes) -> None:
        """Record a packet that says which session is open; forward all other packets."""
        said: dict[str, Any] = json.loads(data)
        if said["type"] == NOTE_TYPE:
            self._noted(str(said["session"]))
        else:
            await super().on_meta(data)

    async def stop(self) -> None:
        """End the app gracefully, or kill it after a grace period, and wait for it to end.

        Calling `stop` repeatedly is safe.
        """
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        # The app is stopped even if the caller is canceled.
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        if self._opening is None:
            return
        process = await self._opening
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        assert process.stdout
        # Keep reading: an app that is still drawing would block on a full pipe and never exit.
        drain = asyncio.create_task(_read_on(process.stdout))
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        # Before a reload, the last keystrokes may still be in transit to the app.
        await _gone(process, SETTLE_SECONDS)
        # Send a signal instead of the quit packet, because the app saves the latest input when it receives a signal.
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await _gone(process, QUIT_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await _gone(process, KILL_SECONDS)
        drain.cancel()
        with suppress(ConnectionError):
            await self.remote_close()


async def _read_on(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK_BYTES):
        pass


async def _gone(process: Process, seconds: float) -> None:
    """Wait until the process has ended, or for at most the given number of seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()
