"""Check every request and add security headers to every response: without a token, all requests are rejected."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Collection

from aiohttp import web
from aiohttp.typedefs import Middleware

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
NO_TOKEN = "The URL is missing the token. Use the address that interviewer serve printed.\n"
NOT_HERE = "interviewer only serves 127.0.0.1 and localhost.\n"
FOREIGN = "This socket only accepts connections from the page that interviewer serves.\n"


def require(tokens: Collection[str], open_routes: frozenset[str]) -> Middleware:
    """Return a middleware that rejects requests for a different host or without a token; open routes need no token."""

    @web.middleware
    async def check(request: web.Request, handler: Answer) -> web.StreamResponse:
        if not _HERE.fullmatch(request.host):
            raise web.HTTPForbidden(text=NOT_HERE)
        if request.match_info.route.name not in open_routes:
            given = token_of(request).encode("utf-8", "replace")
            # Compare in constant time, and as bytes: compare_digest does not accept non-ASCII text, which a path may
            # contain.
            if not any(secrets.compare_digest(given, token.encode()) for token in tokens):
                raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    return check


def token_of(request: web.Request) -> str:
    """Return the part of the URL path that must be the token."""
    return request.path.removeprefix("/").partition("/")[0]


def check_origin(request: web.Request) -> None:
    """Check that the socket is opened by this server's own page. Raises: HTTPForbidden."""
    if request.headers.get("Origin") != f"http://{request.host}":
        raise web.HTTPForbidden(text=FOREIGN)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add headers that forbid caching, framing, sending the URL as referrer, and loading from other origins."""
    response.headers.update(_FIXED_HEADERS)
    # In some browsers, 'self' does not include websockets to the same host.
    socket = f" ws://{request.host}" if _HERE.fullmatch(request.host) else ""
    response.headers["Content-Security-Policy"] = _POLICY.format(socket=socket)
