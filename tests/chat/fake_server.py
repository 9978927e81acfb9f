"""A small OpenAI-compatible server on 127.0.0.1 that misbehaves in the way that the last user message requests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

KEY = "sk-test-abcdefghijklmnop"
CONTEXT = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
ERRORS = {
    "401": (401, "Incorrect API key provided: " + KEY),
    "403": (403, f"Forbidden for Bearer {KEY}"),
    "404": (404, f"no such model for {KEY}"),
    "500": (500, "the engine died"),
    "500 with key": (500, f"upstream said: bad key {KEY}"),
    "context": (400, CONTEXT),
}


WHOLE: dict[str, tuple[dict[str, Any], str | None]] = {
    "refusal": ({"role": "assistant", "refusal": "I will not do that."}, "stop"),
    "empty": ({"role": "assistant"}, "stop"),
    "length": ({"content": "It goes on and"}, "length"),
    "no ending": ({"content": "What happens to the ratio?"}, None),
    "key in words": ({"content": f"Your key {KEY} is not valid. What now?"}, "stop"),
    "key as a judgement": ({"content": json.dumps({"points": [{"id": KEY}]})}, "stop"),
    "key in a refusal": ({"role": "assistant", "refusal": f"The key {KEY} may not do that."}, "stop"),
}
PAGES = {
    "a page": ("<html><body>Please log in</body></html>", "text/html"),
    "bare text": ("I am not a chat server.", "text/plain"),
    "no stream": (json.dumps({"choices": [{"index": 0, "message": {"content": "Why?"}}]}), "application/json"),
    "an error as a page": (json.dumps({"error": {"message": f"bad key {KEY}"}}), "application/json"),
}


class FakeServer:
    """Serve one behavior per request; records what it was sent and whether a client left early."""

    def __init__(self) -> None:
        self.url = ""
        # The reply to every request, whatever it asks; "" means that the last message decides.
        self.always = ""
        # What it replies to the messages of a request, unless `always` or the last message names a behavior.
        self.script: Callable[[list[dict[str, str]]], str] | None = None
        # The maximum number of characters in a request.
        self.chars_max = 10**9
        self.requests: list[dict[str, Any]] = []
        self.seen: Counter[str] = Counter()
        self.client_left = threading.Event()
        # The models that it offers.
        self.offers: list[str] = ["small", "large"]
        # What the list of models says about each model besides its name, and the replies at other paths.
        self.details: dict[str, dict[str, Any]] = {}
        self.pages: dict[str, dict[str, Any]] = {}
        self.keys_seen: list[str] = []

    def forget(self) -> None:
        """Forget everything before the next test."""
        self.always, self.script, self.chars_max = "", None, 10**9
        self.offers = ["small", "large"]
        self.details.clear()
        self.pages.clear()
        self.keys_seen.clear()
        self.requests.clear()
        self.seen.clear()
        self.client_left.clear()

    async def list_models(self, request: web.Request) -> web.Response:
        self.keys_seen.append(request.headers.get("Authorization", ""))
        if self.always == "stall first":
            await self._hold()
        if self.always in PAGES:
            return web.Response(text=PAGES[self.always][0], content_type=PAGES[self.always][1])
        if self.always in ERRORS:
            return _error(*ERRORS[self.always])
        if self.always == "elsewhere":
            raise web.HTTPFound("/v1/elsewhere")
        extra = [self.details.get(name, {}) for name in self.offers]
        if request.path == "/api/tags":
            listed = [{"name": name, "size": 1, **more} for name, more in zip(self.offers, extra, strict=True)]
            return web.json_response({"models": listed})
        listed = [{"id": name, **more} for name, more in zip(self.offers, extra, strict=True)]
        return web.json_response({"object": "list", "data": listed})

    async def describe(self, request: web.Request) -> web.Response:
        """Reply with the page at this path; for POST requests, with the page of the requested model."""
        self.keys_seen.append(request.headers.get("Authorization", ""))
        path = request.path if request.method == "GET" else (await request.json())["model"]
        if path not in self.pages:
            raise web.HTTPNotFound
        return web.json_response(self.pages[path])

    async def respond(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.keys_seen.append(request.headers.get("Authorization", ""))
        self.requests.append(body)
        mode = self.always or body["messages"][-1]["content"]
        self.seen[mode] += 1
        refusal = self._refusal(mode, body)
        if refusal is not None:
            return refusal
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        try:
            if mode == "stall first":
                await self._hold()
            await reply.prepare(request)
            await self._speak(mode, reply, request, body["messages"])
        except (ConnectionError, asyncio.CancelledError):
            self.client_left.set()
            raise
        return reply

    def _refusal(self, mode: str, body: dict[str, Any]) -> web.Response | None:
        first_time = self.seen[mode] == 1
        wants = body.get("response_format", {}).get("type", "none")
        if mode in ERRORS:
            return _error(*ERRORS[mode])
        if sum(len(message["content"]) for message in body["messages"]) > self.chars_max:
            return _error(*ERRORS["context"])
        if mode in PAGES:
            text, kind = PAGES[mode]
            return web.Response(text=text, content_type=kind)
        if mode.startswith("wait ") and first_time:
            _, status, retry_after = mode.split(maxsplit=2)
            return _error(int(status), "come back later", {"Retry-After": retry_after})
        if mode == "429 for ever" or (mode == "429 then fine" and first_time):
            return _error(429, "Rate limit reached")
        if mode == "no quota":
            return _error(429, "You exceeded your current quota, please check your plan and billing details.")
        if (mode == "no schema" and wants == "json_schema") or (mode == "no format" and wants != "none"):
            return _error(400, f"response_format.type {wants} is not supported")
        return None

    async def _speak(
        self, mode: str, reply: web.StreamResponse, request: web.Request, messages: list[dict[str, str]]
    ) -> None:
        match mode:
            case "malformed":
                await reply.write(b"data: {not json\n\n")
            case "failing in words":
                await _data(reply, {"error": {"message": f"the key {KEY} has no quota", "code": 500}})
            case "stall middle" | "count" | "drip":
                for number in range(1000):
                    await _chunk(reply, {"content": f"{number} "})
                    if mode == "stall middle":
                        await self._hold()
                    await asyncio.sleep(0.02)
            case "disconnect" if self.seen[mode] < 3:
                await _chunk(reply, {"content": "only the beginning"})
                assert request.transport is not None
                request.transport.close()
                return
            case "thinks":
                await _chunk(reply, {"reasoning_content": "hm " * 50})
                await self._hold()
            case "role first":
                await _chunk(reply, {"role": "assistant", "content": ""})
                await asyncio.sleep(2.0)
                await self._speak_well(reply, ["Why?"])
            case _ if mode in WHOLE:
                delta, ending = WHOLE[mode]
                await _chunk(reply, delta)
                await _chunk(reply, {}, ending)
            case _:
                await self._speak_well(reply, [self.script(messages)] if self.script else ["Why ", "is ", "that?"])
        await reply.write(b"data: [DONE]\n\n")

    async def _speak_well(self, reply: web.StreamResponse, words: list[str]) -> None:
        await _chunk(reply, {"role": "assistant", "content": ""})
        await _chunk(reply, {"reasoning_content": "hm"})
        for word in words:
            await _chunk(reply, {"content": word})
        await _chunk(reply, {}, "stop")
        await _data(reply, {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}})

    async def _hold(self) -> None:
        await asyncio.sleep(30)


async def _chunk(reply: web.StreamResponse, delta: dict[str, Any], ending: str | None = None) -> None:
    await _data(reply, {"choices": [{"index": 0, "delta": delta, "finish_reason": ending}]})


async def _data(reply: web.StreamResponse, fields: dict[str, Any]) -> None:
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "test", **fields}
    await reply.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    code = {CONTEXT: "context_length_exceeded"}.get(message)
    body = {"error": {"message": message, "type": "error", "code": code}}
    return web.json_response(body, status=status, headers=headers)


@contextmanager
def serving() -> Iterator[FakeServer]:
    """Yield a server that runs in its own thread, because the model under test blocks its thread."""
    server, loop, ready = FakeServer(), asyncio.new_event_loop(), threading.Event()
    runner: list[web.AppRunner] = []

    async def start() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", server.respond)
        for path in ("/v1/models", "/api/tags", "/v1/elsewhere"):
            app.router.add_get(path, server.list_models)
        app.router.add_get("/props", server.describe)
        app.router.add_get("/api/v0/models", server.describe)
        app.router.add_post("/api/show", server.describe)
        runner.append(web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1))
        await runner[0].setup()
        site = web.TCPSite(runner[0], "127.0.0.1", 0)
        await site.start()
        server.url = f"http://127.0.0.1:{runner[0].addresses[0][1]}/v1"

    def serve() -> None:
        loop.run_until_complete(start())
        loop.call_soon(ready.set)  # not in start: a stop before run_forever would be lost
        loop.run_forever()
        loop.run_until_complete(runner[0].cleanup())
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
