"""Run the app process of one browser tab; once `stop` has returned, the process has ended, whatever it was doing."""

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
    """Run one app for one socket; `noted` is called with the id of the session that is open in it, or ""."""

    def __init__(
        self,
        command: Sequence[str],
        socket: web.WebSocketResponse,
        downloads: DownloadManager,
        noted: Callable[[str], None],
    ) -> None:
        async def close() -> None:
            # A socket that was refused before it opened has nothing to close.
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
        # Its own process group: what the app starts ends with it. No shell, which would be the one to get the signals.
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
        """Start the app at this size in cells; does nothing once `stop` was called."""
        if self._ending is None:
            self._opening = asyncio.create_task(self._open_app_process(width, height))
            await asyncio.shield(self._opening)
        if self._ending is None:
            self._task = asyncio.create_task(self.run())

    async def run(self) -> None:
        """Relay what the app draws until the app ends or the browser disconnects."""
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
        """Note which session is open; pass on every other packet."""
        said: dict[str, Any] = json.loads(data)
        if said["type"] == NOTE_TYPE:
            self._noted(str(said["session"]))
        else:
            await super().on_meta(data)

    async def stop(self) -> None:
        """End the app in order, or by force after a grace period; return once it has ended. It can be called again."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        # The end goes on when the one who asked for it is cancelled.
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        if self._opening is None:
            return
        process = await self._opening
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        assert process.stdout
        # Read on: an app that is drawing hangs in a full pipe and would never come to its own end.
        drain = asyncio.create_task(_read_on(process.stdout))
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        # A reload right after a key: what was typed is still on its way to the app.
        await _gone(process, SETTLE_SECONDS)
        # A signal and not the quit packet: on a signal the app saves what was typed last.
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
    """Return once the process has ended, or after these seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()
