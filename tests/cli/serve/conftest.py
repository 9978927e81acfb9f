"""A server in this process or as the real command, and a list of its descendant processes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from yarl import URL

from interviewer.cli.serve.server import LOOPBACK, OBSERVER_APP, LoopbackServer
from interviewer.config import find_folders, load_settings
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from tests.conftest import REQUIRED

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and not CHROMIUM:
        if "browser" in REQUIRED:
            pytest.fail("INTERVIEWER_REQUIRE contains browser, but there is no chromium", pytrace=False)
        pytest.skip("there is no chromium")


async def until(condition: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Return once the condition holds; fail with `what` when the time is up."""
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"waited {seconds:g} s for: {what}")


def is_alive(process_id: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        return re.search(r"^State:\s+[^ZX]", Path(f"/proc/{process_id}/status").read_text(), re.MULTILINE) is not None
    except OSError:
        return False


def below(process_id: int) -> set[int]:
    """Return the ids of all processes that descend from this one."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("there is no /proc to find processes in")
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found, added = set[int](), {process_id}
    while added:
        added = {child for child, parent in parents.items() if parent in added}
        found |= added
    return found


def log_an_interview() -> str:
    """Log an interview with one question and one task, for the app to resume; return the session's id."""
    folders = find_folders()
    with AppContext(load_settings(folders, os.environ, {}), folders) as context:
        return new_interview(context, PlanRequest(questions=("ppo_clipping",), tasks=("gae",)), seed=1).session.id


@asynccontextmanager
async def serving(
    app: Sequence[str], observer_app: Sequence[str] = OBSERVER_APP, public: URL | None = None
) -> AsyncIterator[LoopbackServer]:
    """A server in this process whose tabs run these commands; `public` is the address of a proxy.

    An error of the server is raised here, both before and after the test's own use of the server.
    """
    with socket.create_server((LOOPBACK, 0)) as listening:
        server = LoopbackServer(listening, app, observer_app, public)
        held = asyncio.create_task(server.serve_forever())
        started = asyncio.create_task(server.has_started.wait())
        await asyncio.wait({held, started}, return_when=asyncio.FIRST_COMPLETED)
        started.cancel()
        if held.done():
            held.result()
        try:
            yield server
        finally:
            # Canceled instead of signaled: a signal that arrives before the server listens would kill pytest.
            held.cancel()
            with suppress(asyncio.CancelledError):
                await held


def address(server: LoopbackServer) -> str:
    """Return the candidate's address."""
    return server.url_of(server.candidate)


@dataclass
class Command:
    """The running command `interviewer serve`, with its addresses for the candidate and for observers."""

    process: asyncio.subprocess.Process
    url: str
    observer_url: str

    async def ends_after(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code and everything else that was printed on stdout and stderr."""
        self.process.send_signal(number)
        async with asyncio.timeout(15):
            out, err = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, (out + err).decode()


Start = Callable[[], Awaitable[Command]]


@pytest.fixture
async def start_command() -> AsyncIterator[Start]:
    """Return a function that starts the real command; whatever a failed test leaves behind is killed."""
    started: list[asyncio.subprocess.Process] = []

    async def start() -> Command:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "interviewer", "serve", "--port", "0"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "INTERVIEWER_SANDBOX": "process"},
        )
        started.append(process)
        assert process.stdout is not None
        candidate, observer = [(await process.stdout.readline()).decode().strip() for _ in range(2)]
        return Command(process, candidate, observer)

    yield start
    for process in started:
        for pid in [*below(process.pid), process.pid]:
            if process.returncode is None and is_alive(pid):
                os.kill(pid, signal.SIGKILL)
