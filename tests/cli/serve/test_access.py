"""Nothing is served without a token, under other host names or to foreign pages; no page loads from other origins."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientResponse, ClientSession, WSServerHandshakeError
from yarl import URL

from interviewer.cli.serve.server import ASSETS, LoopbackServer
from tests.cli.serve.conftest import address, below, serving

TAB = "tab/0123456789abcdef"
IDLE = (sys.executable, "-c", "import time; print('__GANGLION__', flush=True); time.sleep(100)")


@pytest.fixture
async def server() -> AsyncIterator[LoopbackServer]:
    async with serving(IDLE) as one:
        yield one


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession() as one:
        yield one


async def ask(client: ClientSession, url: str, **headers: str) -> ClientResponse:
    async with client.get(URL(url, encoded=True), headers=headers, allow_redirects=False) as answer:
        await answer.read()
        return answer


async def test_a_server_that_cannot_start_fails_the_test_that_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def make_no_app(server: LoopbackServer) -> None:
        raise OSError("no app")

    monkeypatch.setattr(LoopbackServer, "_make_app", make_no_app)
    with pytest.raises(OSError, match="no app"):
        async with serving(IDLE):
            pytest.fail("there is no server")


@pytest.mark.expectation(number=66)
@pytest.mark.parametrize("token", ["", "x", "%C3%A9", "%ff", "static"])
async def test_without_the_token_nothing_is_served(server: LoopbackServer, client: ClientSession, token: str) -> None:
    own = f"http://127.0.0.1:{server.port}"
    for path in ("", TAB, f"{TAB}/socket", "page.js", "static/js/textual.js", "nothing"):
        answer = await ask(client, f"{own}/{token}/{path}", Origin=own)
        assert answer.status == 403, path
        assert server.candidate.token not in str(answer.headers)


async def test_a_request_for_no_path_at_all_is_refused_too(server: LoopbackServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert b" 403 " in await reader.readline()
    writer.close()


async def test_a_part_of_the_token_is_not_the_token(server: LoopbackServer, client: ClientSession) -> None:
    for token in (server.candidate.token[:-1], f"{server.candidate.token}x", server.candidate.token.swapcase()):
        assert (await ask(client, address(server).replace(server.candidate.token, token))).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.168.0.7:80", "localhost:80:1"])
async def test_another_name_that_points_here_is_refused(
    server: LoopbackServer, client: ClientSession, host: str
) -> None:
    assert (await ask(client, f"{address(server)}{TAB}", Host=host)).status == 403


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1"])
async def test_a_socket_of_a_foreign_page_is_refused(
    server: LoopbackServer, client: ClientSession, origin: str | None
) -> None:
    before = below(os.getpid())
    with pytest.raises(WSServerHandshakeError) as told:
        await client.ws_connect(f"{address(server)}{TAB}/socket", headers={"Origin": origin} if origin else {})
    assert told.value.status == 403
    assert below(os.getpid()) == before


async def test_every_answer_forbids_keeping_framing_and_naming_it(
    server: LoopbackServer, client: ClientSession
) -> None:
    own = address(server)
    for url in (own, f"{own}{TAB}", f"{own}page.js", f"{own}static/css/xterm.css", f"http://127.0.0.1:{server.port}/"):
        headers = (await ask(client, url)).headers
        assert headers["Cache-Control"] == "no-store", url
        assert headers["Referrer-Policy"] == "no-referrer", url
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], url
        assert "default-src 'none'" in headers["Content-Security-Policy"], url


async def test_the_page_names_only_what_is_served_here(server: LoopbackServer, client: ClientSession) -> None:
    async with client.get(address(server)) as answer:
        page = await answer.text()
    named = re.findall(r'(?:href|src|url)[=(]"([^"]+)"', page)
    loaded = [link for link in named if link.startswith("/")]
    assert len(loaded) == 5
    for path in loaded:
        assert (await ask(client, f"http://127.0.0.1:{server.port}{path}")).status == 200
    assert set(re.findall(r"\w+://[^/\"]+", page)) == {f"ws://127.0.0.1:{server.port}"}


async def test_only_what_a_page_loads_is_served(server: LoopbackServer, client: ClientSession) -> None:
    assert all((server.statics_path / asset).is_file() for asset in ASSETS)
    for asset in ("images/background.png", "../server.py", "%2e%2e/server.py", "js/", str(Path(__file__))):
        assert (await ask(client, f"{address(server)}static/{asset}")).status == 404


async def test_each_opening_is_a_tab_of_its_own(server: LoopbackServer, client: ClientSession) -> None:
    first, second = [(await ask(client, address(server))).headers["Location"] for _ in range(2)]
    assert first != second
    assert first.startswith(f"/{server.candidate.token}/tab/")


async def test_a_download_needs_its_key(server: LoopbackServer, client: ClientSession) -> None:
    assert (await ask(client, f"http://127.0.0.1:{server.port}/download/{'0' * 32}")).status == 404
