"""A partner on a different machine joins through an ssh tunnel or a reverse proxy with TLS, and only as an observer."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientTimeout, TCPConnector, WSMsgType, WSServerHandshakeError
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from interviewer.cli.group import run
from interviewer.cli.serve.access import WRONG_TOKENS_MAX, WRONG_TOKENS_SECONDS, WrongTokens
from interviewer.cli.serve.server import LOOPBACK, LoopbackServer
from interviewer.errors import BadInput
from tests.cli.serve.conftest import address, serving
from tests.conftest import REQUIRED

TAB = "tab/0123456789abcdef"
IDLE = (sys.executable, "-c", "import time; print('__GANGLION__', flush=True); time.sleep(100)")
CADDY = shutil.which("caddy")
CADDYFILE = """
{
    admin off
    auto_https disable_redirects
    skip_install_trust
}
https://interview.test:%d {
    tls internal
    reverse_proxy 127.0.0.1:%d
}
"""


class Here(AbstractResolver):
    """Resolve every name to this machine, as the DNS entry of the proxy would."""

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host=LOOPBACK, port=port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


@pytest.fixture
async def browser() -> AsyncIterator[ClientSession]:
    # The proxy has a self-signed certificate.
    connector = TCPConnector(resolver=Here(), ssl=False)
    async with ClientSession(connector=connector, timeout=ClientTimeout(30)) as session:
        yield session


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listening:
        return int(listening.getsockname()[1])


@asynccontextmanager
async def forwarded(port: int) -> AsyncIterator[int]:
    """Forward a port of this machine to a different one, byte by byte, as ssh -L does."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(LOOPBACK, port)
        await asyncio.gather(copy(reader, there_writer), copy(there_reader, writer), return_exceptions=True)

    tunnel = await asyncio.start_server(connect, LOOPBACK, 0)
    try:
        yield tunnel.sockets[0].getsockname()[1]
    finally:
        tunnel.close()


async def opens(browser: ClientSession, base: str, origin: str) -> bool:
    """Return whether the page at this address loads and its socket starts an app."""
    async with browser.get(f"{base}{TAB}") as page:
        text = await page.text()
        policy = page.headers["Content-Security-Policy"]
    socket_url = str(URL(f"{base}{TAB}/socket").with_scheme("wss" if base.startswith("https") else "ws"))
    assert socket_url in text
    assert f"connect-src 'self' {URL(socket_url).origin()};" in policy
    async with browser.ws_connect(socket_url, headers={"Origin": origin}) as opened:
        await opened.send_json(["ping", "1"])
        message = await opened.receive(timeout=30)
        return message.type is WSMsgType.TEXT and "pong" in message.data


async def test_both_addresses_work_through_an_ssh_tunnel_to_another_port(browser: ClientSession) -> None:
    async with serving(IDLE, IDLE) as server, forwarded(server.port) as port:
        for endpoint in (server.candidate, server.observer):
            base = server.url_of(endpoint).replace(str(server.port), str(port))
            assert await opens(browser, base, f"http://{LOOPBACK}:{port}")
            assert await opens(browser, base.replace(LOOPBACK, "localhost"), f"http://localhost:{port}")


@asynccontextmanager
async def proxied(tmp_path: Path) -> AsyncIterator[LoopbackServer]:
    """Run a server behind Caddy, which terminates TLS for https://interview.test."""
    assert CADDY
    port = free_port()
    public = URL(f"https://interview.test:{port}")
    async with serving(IDLE, IDLE, public) as server:
        caddyfile = tmp_path / "Caddyfile"
        caddyfile.write_text(CADDYFILE % (port, server.port))
        environ = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        command = [CADDY, "run", "--adapter", "caddyfile", "--config", str(caddyfile)]
        proxy = await asyncio.create_subprocess_exec(*command, env=environ, stderr=asyncio.subprocess.DEVNULL)
        try:
            await until_listening(port)
            yield server
        finally:
            proxy.terminate()
            await proxy.wait()


async def until_listening(port: int) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection(LOOPBACK, port, ssl=context, server_hostname="interview.test")
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    pytest.fail("the proxy did not start")


@pytest.mark.slow
async def test_an_observer_joins_through_a_proxy_with_tls_and_the_candidate_does_not(
    tmp_path: Path, browser: ClientSession
) -> None:
    if CADDY is None:
        if "caddy" in REQUIRED:
            pytest.fail("INTERVIEWER_REQUIRE contains caddy, but it is not installed", pytrace=False)
        pytest.skip("caddy is not installed")
    async with proxied(tmp_path) as server:
        base = server.url_of(server.observer)
        origin = str(URL(base).origin())
        assert base.startswith("https://interview.test:")
        assert await opens(browser, base, origin)
        for refused in ("http://evil.example", origin.replace("https", "http"), f"http://{LOOPBACK}:{server.port}"):
            with pytest.raises(WSServerHandshakeError, match="403"):
                await opens(browser, base, refused)
        for path in ("", TAB, f"{TAB}/socket"):
            async with browser.get(f"{origin}/{server.candidate.token}/{path}") as answer:
                assert answer.status == 403, "the candidate's address has the keys and the sandbox"
        # On this machine, the candidate's own address works as before.
        assert await opens(browser, address(server), f"http://{LOOPBACK}:{server.port}")


async def test_without_a_proxy_its_name_is_refused(browser: ClientSession) -> None:
    public = URL("https://interview.test")
    for host, has_proxy, status in (
        ("interview.test", True, 200),
        ("interview.test", False, 403),
        ("x.test", True, 403),
    ):
        async with serving(IDLE, IDLE, public if has_proxy else None) as server:
            url = f"http://{LOOPBACK}:{server.port}/{server.observer.token}/{TAB}"
            async with browser.get(url, headers={"Host": host}) as answer:
                assert answer.status == status


async def test_too_many_wrong_tokens_are_told_to_wait_and_a_right_one_is_not(browser: ClientSession) -> None:
    async with serving(IDLE, IDLE) as server:
        url = f"http://{LOOPBACK}:{server.port}"
        statuses = []
        for number in range(WRONG_TOKENS_MAX + 2):
            async with browser.get(f"{url}/{number}/{TAB}") as answer:
                statuses.append(answer.status)
        assert statuses == [403] * WRONG_TOKENS_MAX + [429] * 2
        assert answer.headers["Retry-After"] == "60"
        async with browser.get(f"{address(server)}{TAB}") as answer:
            assert answer.status == 200


def test_after_a_minute_wrong_tokens_are_counted_anew() -> None:
    now = 0.0
    wrong_tokens = WrongTokens(lambda: now)
    assert [wrong_tokens.reject().status for _ in range(WRONG_TOKENS_MAX + 1)][-2:] == [403, 429]
    now = WRONG_TOKENS_SECONDS + 1
    assert wrong_tokens.reject().status == 403


@pytest.mark.parametrize(
    "url",
    [
        "http://interview.test",
        "interview.test",
        "https://",
        "https://u:p@interview.test",
        "https://x.test/a",
        "https://[",
        "",
    ],
)
def test_a_public_address_is_https_and_nothing_but_a_host(capsys: pytest.CaptureFixture[str], url: str) -> None:
    # Run through the group, because a command that is invoked directly uses different names in its help.
    assert run(["serve", "--public-url", url]) == BadInput.exit_code
    said = capsys.readouterr().err
    assert "--public-url" in said
    assert "u:p" not in said
