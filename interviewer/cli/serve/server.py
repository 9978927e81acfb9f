"""Serves the app's pages and sockets on loopback.

Each tab has its own app process, which ends no later than the server does.

There are two endpoints: the candidate's and the observers'. Each endpoint has its own token, which is not valid for the
other endpoint.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from string import Template

import click
from aiohttp import web
from textual_serve.server import Server, to_int
from yarl import URL

from interviewer.cli.options import open_context
from interviewer.cli.serve.access import Access, socket_origin, token_of
from interviewer.cli.serve.tab import Tab
from interviewer.errors import INTERRUPTED, OK, BadInput

LOOPBACK = "127.0.0.1"
TABS_MAX = 4
TOKEN_BYTES = 32
TAB_BYTES = 8
CLOSE_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
# -P: do not import a folder called interviewer from the current directory.
APP = (sys.executable, "-P", "-m", "interviewer.cli.serve.tab_app", "candidate")
OBSERVER_APP = (sys.executable, "-P", "-m", "interviewer.cli.serve.tab_app", "observer")
HOW = """Open the first address in a browser on this machine. The second address is for observers;
its page asks for the token that the interview shows after F10. Ctrl+C stops the
server and closes the app in all tabs."""
# These are all the files that a page loads. The list is an allowlist, because the package contains more files, and
# later releases may add others.
ASSETS = frozenset(
    {
        "css/xterm.css",
        "js/textual.js",
        "fonts/RobotoMono-VariableFont_wght.ttf",
        "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
    }
)
TOO_MANY = f"{TABS_MAX} tabs are already open, which is the limit. Close a tab, then reload this page.\n"


@dataclass
class Endpoint:
    """One of the server's two endpoints: the candidate's or the observers'.

    `app` is the command that each tab's process runs. `tabs` maps names to running tabs. `kept` stores what each tab
    reopens after a reload; "" means no session.
    """

    app: Sequence[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    tabs: dict[str, Tab] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)

    def forget(self, name: str, tab: Tab) -> None:
        """Remove a tab that has ended, unless a new tab has the same name."""
        if self.tabs.get(name) is tab:
            del self.tabs[name]


class LoopbackServer(Server):
    """A server for browsers on this machine that have the candidate's or the observers' token.

    `has_started` is set once the server accepts requests.
    """

    def __init__(
        self,
        listening: socket.socket,
        app: Sequence[str] = APP,
        observer_app: Sequence[str] = OBSERVER_APP,
        public: URL | None = None,
    ) -> None:
        super().__init__(" ".join(app), host=LOOPBACK, port=listening.getsockname()[1], title="interviewer")
        self.candidate = Endpoint(app)
        self.observer = Endpoint(observer_app)
        self._endpoints = {endpoint.token: endpoint for endpoint in (self.candidate, self.observer)}
        # The candidate's address gives access to keys and the sandbox, so a proxy never serves it.
        self._access = Access(self._endpoints, public, (self.observer.token,))
        self._listening = listening
        self.has_started = asyncio.Event()
        self._is_ending = False
        self._page = Template(_text("page.html"))
        self._script = _text("page.js")

    def url_of(self, endpoint: Endpoint) -> str:
        """Return the URL of this endpoint; for observers, the proxy's URL if there is a proxy."""
        public = self._access.public if endpoint is self.observer else None
        return f"{public.origin() if public else f'http://{LOOPBACK}:{self.port}'}/{endpoint.token}/"

    async def _make_app(self) -> web.Application:
        # Downloads need no token: the page's script builds their URLs without one, and the random key in each URL is as
        # hard to guess as a token.
        app = web.Application(middlewares=[self._access.require(frozenset({"download"}))])
        app.add_routes(
            [
                web.get("/{token}/", self.open_tab),
                web.get("/{token}/tab/{tab:[0-9a-f]{16}}", self.show_page),
                web.get("/{token}/tab/{tab:[0-9a-f]{16}}/socket", self.handle_websocket),
                web.get("/{token}/static/{asset:.+}", self.send_asset),
                web.get("/{token}/page.js", self.send_script),
                web.get("/download/{key}", self.handle_download, name="download"),
            ]
        )
        app.on_response_prepare.append(self._access.add_headers)
        return app

    async def open_tab(self, request: web.Request) -> web.Response:
        """Redirect a new tab to its own URL, which stays the same when the page is reloaded."""
        raise web.HTTPSeeOther(f"/{token_of(request)}/tab/{secrets.token_hex(TAB_BYTES)}")

    async def show_page(self, request: web.Request) -> web.Response:
        """Return the page with the terminal, or an error if too many tabs are open."""
        tab, endpoint = request.match_info["tab"], self._endpoints[token_of(request)]
        if tab not in endpoint.tabs and len(endpoint.tabs) >= TABS_MAX:
            raise web.HTTPServiceUnavailable(text=TOO_MANY)
        opened_by = f"{socket_origin(self._access.origin_of(request))}/{endpoint.token}/tab/{tab}/socket"
        text = self._page.substitute(base=f"/{endpoint.token}", socket=opened_by)
        return web.Response(text=text, content_type="text/html")

    async def send_asset(self, request: web.Request) -> web.StreamResponse:
        """Return a static file that the page loads."""
        asset = request.match_info["asset"]
        if asset not in ASSETS:
            raise web.HTTPNotFound
        return web.FileResponse(self.statics_path / asset)

    async def send_script(self, request: web.Request) -> web.Response:
        """Return the page's own script."""
        return web.Response(text=self._script, content_type="text/javascript")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a tab's app while the tab's socket is open; a new socket for the same tab replaces the old one."""
        self._access.check_origin(request)
        name, endpoint = request.match_info["tab"], self._endpoints[token_of(request)]
        width, height = (to_int(request.query.get(key, ""), cells) for key, cells in (("width", 80), ("height", 24)))
        opened = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS, timeout=CLOSE_SECONDS)

        def noted(opened_in_it: str) -> None:
            endpoint.kept[name] = opened_in_it

        await self._make_room(endpoint, name)
        tab = endpoint.tabs[name] = Tab(
            [*endpoint.app, endpoint.kept.get(name, "")], opened, self.download_manager, noted
        )
        try:
            await opened.prepare(request)
            await tab.start(width, height)
            # A socket connection normally ends with a disconnect.
            with suppress(ConnectionError):
                await self._process_messages(opened, tab)
        finally:
            try:
                await tab.stop()
            finally:
                endpoint.forget(name, tab)
        return opened

    async def _make_room(self, endpoint: Endpoint, name: str) -> None:
        """Wait until the tab's old process has ended, and check the tab limit.

        Raises HTTPServiceUnavailable if too many tabs are open.
        """
        # A reload may arrive before the old socket is closed; two processes must not share a session.
        while (former := endpoint.tabs.get(name)) is not None:
            await former.stop()
            endpoint.forget(name, former)
        # The limit is per endpoint, so that observers cannot lock out the candidate.
        if self._is_ending or len(endpoint.tabs) >= TABS_MAX:
            raise web.HTTPServiceUnavailable(text=TOO_MANY)

    async def serve_forever(self) -> int:
        """Serve until a signal arrives, end every tab, and return the exit code."""
        stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, _stop, stopped, number)
        # No access log, because it would contain the token.
        runner = web.AppRunner(await self._make_app(), access_log=None, shutdown_timeout=CLOSE_SECONDS)
        await runner.setup()
        try:
            await web.SockSite(runner, self._listening).start()
            self.has_started.set()
            # Labels go to stderr, so that a script that reads stdout gets only the two URLs.
            click.echo("Your app:", err=True)
            click.echo(self.url_of(self.candidate))
            click.echo("App for observers:", err=True)
            click.echo(self.url_of(self.observer))
            click.echo(HOW, err=True)
            return INTERRUPTED if await stopped == signal.SIGINT else OK
        finally:
            self._is_ending = True
            tabs = [tab for endpoint in self._endpoints.values() for tab in endpoint.tabs.values()]
            await asyncio.gather(*(tab.stop() for tab in tabs), return_exceptions=True)
            await runner.cleanup()


def _text(name: str) -> str:
    return files("interviewer.cli.serve").joinpath(name).read_text(encoding="utf-8")


def _stop(stopped: asyncio.Future[int], number: int) -> None:
    if not stopped.done():
        stopped.set_result(number)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Must be 127.0.0.1 or localhost.")
@click.option(
    "--public-url",
    metavar="URL",
    help="Address of a TLS reverse proxy in front of this server. Only observers can connect through the proxy.",
)
def serve(port: int, host: str, public_url: str | None) -> int:
    """Serve the app to browsers on this machine and print its address. Stop with Ctrl+C."""
    public = _public_url(public_url) if public_url is not None else None
    # Report invalid settings at startup instead of in every tab.
    open_context().close()
    if host not in {LOOPBACK, "localhost"}:
        raise BadInput(
            f"--host {host}: the app listens only on {LOOPBACK}, "
            "because anyone who can reach the app can use your log, keys and sandbox",
            f"On a different machine, run ssh -L {port}:{LOOPBACK}:{port} HOST, and open the printed address there.",
            "host",
        )
    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise BadInput(f"--port {port}: {error.strerror or error}", "Use --port 0 for any free port.", "port") from None
    with listening:
        return asyncio.run(LoopbackServer(listening, public=public).serve_forever())


def _public_url(text: str) -> URL:
    """Return the proxy's address. Raises BadInput if the text is not a valid address."""
    with suppress(ValueError):
        url = URL(text)
        is_bare = url.path in {"", "/"} and not (url.query_string or url.fragment or url.user)
        if url.scheme == "https" and url.host and is_bare:
            return url
    raise BadInput(
        "--public-url: expected an https address without a path or a user name",
        "For example: --public-url https://interview.example.org",
        "public-url",
    )
