"""Check every request and add security headers to every response: without a token, all requests are rejected."""

from __future__ import annotations

import re
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Middleware
from yarl import URL

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

# Any port is allowed, so that ssh forwarding works. A malicious site whose DNS name points to 127.0.0.1 sends its own
# name in the Host header and is rejected.
_HERE = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?")
_FIXED_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# The terminal widget creates its own style elements; scripts are loaded only from this server.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'{socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
NO_TOKEN = "The token in the URL is missing or wrong. Use the address that interviewer serve printed.\n"
NOT_HERE = "interviewer is served only on 127.0.0.1 and localhost.\n"
FOREIGN = "This socket only accepts connections from the page that interviewer serves.\n"
TOO_OFTEN = "Too many requests had a wrong token. Try again in a minute.\n"
WRONG_TOKENS_MAX = 20
WRONG_TOKENS_SECONDS = 60.0


class WrongTokens:
    """Counts the requests with a wrong token. A correct token is never delayed, so nobody can lock others out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=WRONG_TOKENS_MAX)

    def reject(self) -> web.HTTPException:
        """Return the error for another wrong token: 429 after too many wrong tokens within a minute, otherwise 403."""
        now = self._clock()
        if len(self._times) == WRONG_TOKENS_MAX and now - self._times[0] < WRONG_TOKENS_SECONDS:
            return web.HTTPTooManyRequests(text=TOO_OFTEN, headers={"Retry-After": f"{WRONG_TOKENS_SECONDS:.0f}"})
        self._times.append(now)
        return web.HTTPForbidden(text=NO_TOKEN)


@dataclass(frozen=True)
class Access:
    """The hosts and tokens that are accepted.

    `tokens` are accepted in requests to this machine's own host names. `public` is the address of a reverse proxy with
    TLS in front of this server, and `public_tokens` are the only tokens accepted for that address.
    """

    tokens: Collection[str]
    public: URL | None = None
    public_tokens: Collection[str] = ()

    def origin_of(self, request: web.Request) -> str:
        """Return the origin of this server as the browser sees it, or "" for a host that is not served."""
        if _HERE.fullmatch(request.host):
            return f"http://{request.host}"
        public = str(self.public.origin()) if self.public else ""
        return public if request.host == public.removeprefix("https://") else ""

    def require(self, open_routes: frozenset[str]) -> Middleware:
        """Return a middleware that rejects requests for other hosts or without a token; open routes need no token."""
        wrong_tokens = WrongTokens()

        @web.middleware
        async def check(request: web.Request, handler: Answer) -> web.StreamResponse:
            origin = self.origin_of(request)
            if not origin:
                raise web.HTTPForbidden(text=NOT_HERE)
            if request.match_info.route.name not in open_routes:
                accepted = self.tokens if origin.startswith("http:") else self.public_tokens
                given = token_of(request).encode("utf-8", "replace")
                # Compare in constant time, and as bytes: compare_digest does not accept non-ASCII text, which a path
                # may contain.
                if not any(secrets.compare_digest(given, token.encode()) for token in accepted):
                    raise wrong_tokens.reject()
            return await handler(request)

        return check

    def check_origin(self, request: web.Request) -> None:
        """Raise HTTPForbidden if the socket is opened by a page that does not belong to this server."""
        if request.headers.get("Origin") != self.origin_of(request):
            raise web.HTTPForbidden(text=FOREIGN)

    async def add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        """Add headers that forbid caching, framing, sending the URL as referrer, and loading from other origins."""
        response.headers.update(_FIXED_HEADERS)
        # In some browsers, 'self' in a content security policy does not include websockets to the same host.
        origin = self.origin_of(request)
        socket = f" {socket_origin(origin)}" if origin else ""
        response.headers["Content-Security-Policy"] = _POLICY.format(socket=socket)


def socket_origin(origin: str) -> str:
    """Return the websocket origin that belongs to a page's origin: ws for http, wss for https."""
    return f"ws{origin.removeprefix('http')}"


def token_of(request: web.Request) -> str:
    """Return the part of the URL path that should contain the token."""
    return request.path.removeprefix("/").partition("/")[0]
