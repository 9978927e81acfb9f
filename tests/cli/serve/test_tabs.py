"""One process per tab: it always ends with its socket and hands over its session, and the number of tabs is limited."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError

from interviewer.cli.group import run
from interviewer.cli.serve import SERVER_VARIABLE, tab
from interviewer.cli.serve.server import APP, TABS_MAX
from tests.cli.serve.conftest import Command, Start, address, below, is_alive, log_an_interview, serving, until

pytestmark = pytest.mark.slow

# Draws endlessly, ignores SIGTERM, and has a child process: only SIGKILL ends it.
STUCK = """
import os, signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "100"])
os.write(1, b"__GANGLION__\\n")
while True:
    os.write(1, b"D" + (50000).to_bytes(4, "big") + b"x" * 50000)
"""
# Says which session is open, and how it was started.
TELLING = """
import os, sys, time
def say(kind, text):
    os.write(1, kind + len(text).to_bytes(4, "big") + text)
os.write(1, b"__GANGLION__\\n")
say(b"M", b'{"type": "session", "session": "s-1"}')
say(b"D", b"started with " + sys.argv[1].encode())
time.sleep(100)
"""


async def opened(client: ClientSession, url: str, name: str = "0" * 16) -> ClientWebSocketResponse:
    """Open the socket of a tab as its page does."""
    origin = url.rsplit("/", 2)[0]
    return await client.ws_connect(f"{url}tab/{name}/socket?width=100&height=30", headers={"Origin": origin})


def processes() -> set[int]:
    return {pid for pid in below(os.getpid()) if is_alive(pid)}


@pytest.mark.expectation(number=66)
async def test_a_tab_that_is_closed_while_it_draws_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "QUIT_SECONDS", 0.3)
    async with serving((sys.executable, "-c", STUCK)) as server, ClientSession() as client:
        before = processes()
        view = await opened(client, address(server))
        await until(lambda: len(processes() - before) == 2, "the app and its child")
        family = processes() - before
        await view.receive_bytes()
        assert view._response.connection is not None
        assert view._response.connection.transport is not None
        # No closing frame: the browser was killed.
        view._response.connection.transport.abort()
        # Checked by process id: a child whose parent has ended is no longer a descendant of this process.
        await until(lambda: not any(map(is_alive, family)), "the app and its child to be gone", 5)


async def test_a_reload_gets_the_session_and_never_shares_it() -> None:
    async with serving((sys.executable, "-c", TELLING)) as server, ClientSession() as client:
        before = processes()
        first = await opened(client, address(server))
        assert await first.receive_bytes() == b"started with "
        (former,) = processes() - before
        # The old socket is still open, as it may be after a quick reload.
        second = await opened(client, address(server))
        assert await second.receive_bytes() == b"started with s-1"
        assert not is_alive(former)
        assert len(processes() - before) == 1
        other = await opened(client, address(server), "1" * 16)
        assert await other.receive_bytes() == b"started with "


async def test_the_app_says_which_interview_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_SANDBOX", "process")
    session, name = log_an_interview(), "0" * 16
    async with serving(APP) as server, ClientSession() as client:
        view = await opened(client, address(server), name)
        await view.receive_bytes()
        await press_until(view, "r", lambda: server.candidate.kept.get(name) == session, "the interview to be open")
        await press_until(view, "\x1b", lambda: server.candidate.kept.get(name) == "", "home again", "2")
        await view.close()
        await until(lambda: not server.candidate.tabs, "the tab to end")


async def press_until(
    view: ClientWebSocketResponse, key: str, condition: Callable[[], bool], what: str, then: str = ""
) -> None:
    """Press keys until the condition holds, because the first one may come before the screen that should receive it.

    Wait longer each time; otherwise, a busy app would always be one dialog behind.
    """
    for turn in range(20):
        for pressed in filter(None, (key, then)):
            await view.send_json(["stdin", pressed])
            await asyncio.sleep(0.3 + 0.1 * turn)
        if condition():
            return
    pytest.fail(f"waited for: {what}")


async def test_a_file_that_the_app_hands_out_is_downloaded_once() -> None:
    async with serving((sys.executable, "-m", "tests.cli.serve.flood")) as server, ClientSession() as client:
        view = await opened(client, address(server))
        await view.receive_bytes()
        key = ""
        await view.send_json(["stdin", "x"])
        async with asyncio.timeout(10):
            while not key:
                message = await view.receive()
                key = json.loads(message.data)[1] if message.type is WSMsgType.TEXT else ""
        download = f"http://127.0.0.1:{server.port}/download/{key}"
        async with client.get(download) as answer:
            assert await answer.text() == "kept"
            assert answer.headers["Content-Disposition"] == "attachment; filename=notes.txt"
        async with client.get(download) as answer:
            assert answer.status == 404


async def test_at_most_a_few_tabs() -> None:
    async with serving((sys.executable, "-c", TELLING)) as server, ClientSession() as client:
        views = [await opened(client, address(server), f"{number:016x}") for number in range(TABS_MAX)]
        assert [await view.receive_bytes() for view in views] == [b"started with "] * TABS_MAX
        with pytest.raises(WSServerHandshakeError) as told:
            await opened(client, address(server), "f" * 16)
        assert told.value.status == 503
        async with client.get(address(server)) as answer:
            assert answer.status == 503
            assert "Close a tab" in await answer.text()
        await (await opened(client, address(server), "0" * 16)).receive_bytes()


async def test_the_server_ends_its_tabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "QUIT_SECONDS", 0.3)
    before = below(os.getpid())
    async with ClientSession() as client:
        async with serving((sys.executable, "-c", STUCK)) as server:
            views = [await opened(client, address(server), f"{number:016x}") for number in range(2)]
            assert not any(view.closed for view in views)
            await until(lambda: len(processes() - before) == 4, "two apps with a child each")
            family = processes() - before
        await until(lambda: not any(map(is_alive, family)), "both apps and their children to be gone", 2)


@asynccontextmanager
async def family_of_a_tab(command: Command) -> AsyncIterator[set[int]]:
    """Keep a tab open during a block; yield the processes of its app and of the grader."""
    async with ClientSession() as client:
        view = await opened(client, command.url)
        await view.receive_bytes()
        # There may be more: the grader's sandbox starts processes to check this machine and to warm a cell.
        await until(lambda: len(below(command.process.pid)) >= 2, "the app and its grader")
        yield below(command.process.pid)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
async def test_a_signal_ends_the_command_and_its_apps(start_command: Start, number: signal.Signals, code: int) -> None:
    command = await start_command()
    async with family_of_a_tab(command) as family:
        got, said = await command.ends_after(number)
    assert got == code
    assert command.url.rsplit("/", 2)[1] not in said
    await until(lambda: not any(map(is_alive, family)), "the app and its grader to be gone")


async def test_an_app_whose_server_was_killed_ends(start_command: Start) -> None:
    command = await start_command()
    async with family_of_a_tab(command) as family:
        await command.ends_after(signal.SIGKILL)
    try:
        await until(lambda: not any(map(is_alive, family)), "the app and its grader to be gone")
    finally:
        for pid in filter(is_alive, family):
            os.kill(pid, signal.SIGKILL)


async def test_an_app_whose_server_is_gone_before_it_starts_ends() -> None:
    gone = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await gone.wait()
    web = {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver", SERVER_VARIABLE: str(gone.pid)}
    app = await asyncio.create_subprocess_exec(
        *APP, "", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env={**os.environ, **web}
    )
    try:
        await until(lambda: app.returncode is not None, "the app to end")
    finally:
        if app.returncode is None:
            app.kill()


def test_another_address_is_refused_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    for host in ("0.0.0.0", "192.168.0.7", "::"):
        assert run(["serve", "--host", host]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "can use your log, keys and sandbox" in err
        assert "ssh -L" in err


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port)]) == 2
    assert f"--port {port}: " in capsys.readouterr().err


def test_the_app_itself_starts_without_the_server() -> None:
    script = "import sys, interviewer.cli.group, interviewer.tui.app\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"aiohttp", "textual_serve", "jinja2"} & {name.split(".")[0] for name in done.stdout.split()} == set()
