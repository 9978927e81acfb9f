"""The app in a real browser: an interview with a verdict, a reload, a closed tab, and pages that must see nothing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from playwright.async_api import Browser, BrowserContext, Page, WebSocket, async_playwright

from tests.cli.serve.conftest import CHROMIUM, Start, address, below, is_alive, log_an_interview, serving, until

pytestmark = pytest.mark.browser
SWITCHES = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?<]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
WAIT_SECONDS = 60.0


class View:
    """One page, its requests, and what its terminal has received since the last key."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self._drawn = b""
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", self._listen)

    def _listen(self, opened: WebSocket) -> None:
        self.asked.append(opened.url)
        opened.on("framereceived", self._keep)

    def _keep(self, payload: str | bytes) -> None:
        self._drawn += payload if isinstance(payload, bytes) else b""

    @property
    def shown(self) -> str:
        """Return the text that was drawn, without cursor movements and colors."""
        return _ESCAPE.sub("", self._drawn.decode("utf-8", "replace"))

    async def sees(self, text: str) -> None:
        """Return once this text was drawn."""
        await until(lambda: text in self.shown, f"{text!r} on the page", WAIT_SECONDS)

    async def press(self, *keys: str) -> None:
        self._drawn = b""
        for key in keys:
            await self.page.keyboard.press(key)

    async def press_until(self, key: str, text: str) -> None:
        """Press the key until this is drawn, because a page that has just loaded shows the app before it takes keys."""
        self._drawn = b""
        for _ in range(20):
            await self.page.keyboard.press(key)
            for _ in range(40):
                if text in self.shown:
                    return
                await asyncio.sleep(0.05)
        pytest.fail(f"{key} never brought {text!r}")

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as play:
        started = await play.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield started
        await started.close()


@pytest.fixture
async def context(browser: Browser) -> BrowserContext:
    return await browser.new_context(viewport={"width": 1200, "height": 720})


@pytest.mark.expectation(number=67)
async def test_an_interview_with_a_verdict_a_reload_and_a_closed_tab(
    context: BrowserContext, start_command: Start
) -> None:
    log_an_interview()
    command = await start_command()
    view = View(await context.new_page())
    await view.page.goto(command.url)
    await view.sees("Resume")
    await view.press("r")
    await view.sees("Walk me through PPO's clipped objective")
    await view.type("The minimum of the clipped and the unclipped term")
    await view.press("Enter")
    await view.sees("What exactly does PPO compute")
    await to_the_task_and_its_verdict(view)

    # A program that never ends, so that it is still being graded when the tab is closed.
    await view.press("F3")
    await view.type("while True: pass;")
    await view.sees("pass;import torch")
    await view.press()
    await view.page.reload()
    await view.sees("while True: pass;import torch")

    await view.press_until("Control+s", "The grader is running your code")
    await until(lambda: len(below(command.process.pid)) >= 3, "the app, its grader and the program that runs")
    family = below(command.process.pid)
    await view.page.close()
    await until(lambda: not any(map(is_alive, family)), "the app and all it started to be gone", WAIT_SECONDS)
    assert command.process.returncode is None
    assert {urlsplit(url).hostname for url in view.asked} == {"127.0.0.1"}
    assert len(view.asked) >= 14
    code, said = await command.ends_after(signal.SIGINT)
    assert (code, "Traceback" in said) == (130, False)


@pytest.mark.expectation(number=68)
async def test_an_observers_tab_sees_an_answer_and_asks_the_next_question(
    browser: Browser, context: BrowserContext, start_command: Start
) -> None:
    log_an_interview()
    command = await start_command()
    candidate = View(await context.new_page())
    await candidate.page.goto(command.url)
    await candidate.sees("Resume")
    await candidate.press("r")
    await candidate.sees("Walk me through PPO's clipped objective")
    await candidate.press("F10")
    await candidate.sees("interviewer observe --token ")
    (token,) = set(re.findall(r"token ((?:[0-9a-f]{4}-){3}[0-9a-f]{4})", candidate.shown))

    elsewhere = await browser.new_context(viewport={"width": 1200, "height": 720})
    observer = View(await elsewhere.new_page())
    await observer.page.goto(command.observer_url)
    await observer.sees("Watch a session: token")
    await observer.type(token)
    await observer.press("Enter")
    await observer.sees("Your name")
    await observer.type("ada")
    await observer.press("Enter")
    await observer.sees("watching as ada")
    await candidate.sees("watched by ada")

    await observer.press("F6", "Space")
    await observer.sees("observer shown")
    await observer.press("F4")
    await observer.type("Have you met this live?")
    await observer.press("Enter")
    await observer.sees("1 question waits")
    await candidate.type("The minimum of the clipped and the unclipped term")
    await observer.sees("The minimum of the clipped")
    await candidate.press("Enter")
    await candidate.sees("Have you met this live?")

    # After both pages reload, the consent and the observer's seat are kept, and the question and the ticks still show.
    await candidate.press()
    await candidate.page.reload()
    await candidate.sees("watched by ada")
    await observer.press()
    await observer.page.reload()
    await observer.sees("Have you met this live?")
    await observer.sees("observer shown")

    family = {pid for pid in below(command.process.pid) if "tab_app observer" in command_line(pid)}
    assert len(family) == 1
    await observer.page.close()
    await until(lambda: not any(map(is_alive, family)), "the observer's app to be gone", WAIT_SECONDS)
    await candidate.press()
    await candidate.sees("live, token")
    assert {urlsplit(url).hostname for url in observer.asked} == {"127.0.0.1"}


async def to_the_task_and_its_verdict(view: View) -> None:
    for _ in range(10):  # while the interviewer still speaks, the key says so and does nothing
        await view.press("F9")
        await asyncio.sleep(0.5)
        if "Tick the points you made" in view.shown:
            break
    await view.press("Control+s")
    await view.sees("F2 Statement")
    await view.sees("Write code")
    await view.press("Control+s")
    await view.sees("#1")
    await view.sees("cases passed")


async def test_a_tab_closed_while_it_streams_leaves_no_process(context: BrowserContext) -> None:
    async with serving((sys.executable, "-m", "tests.cli.serve.flood")) as server:
        before = below(os.getpid())
        view = View(await context.new_page())
        await view.page.goto(address(server))
        await view.sees("a" * 80)
        family = below(os.getpid()) - before
        (app,) = [pid for pid in family if "tests.cli.serve.flood" in command_line(pid)]
        await view.page.close()
        await until(lambda: not is_alive(app), "the app to be gone", 5)


def command_line(process_id: int) -> str:
    with open(f"/proc/{process_id}/cmdline", encoding="utf-8") as file:
        return file.read().replace("\0", " ")


@asynccontextmanager
async def foreign_site() -> AsyncIterator[str]:
    """Serve an empty page from a different origin."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text="<body></body>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://localhost:{runner.addresses[0][1]}/"
    await runner.cleanup()


async def test_a_wrong_token_and_a_foreign_page_get_nothing(context: BrowserContext) -> None:
    async with serving((sys.executable, "-m", "tests.cli.serve.flood")) as server:
        page = await context.new_page()
        answer = await page.goto(address(server).replace(server.candidate.token, "x" * 43))
        assert answer is not None
        assert answer.status == 403
        async with foreign_site() as site:
            await page.goto(site)
            # Not even a page that knows the whole address.
            opened = await page.evaluate(
                """url => new Promise(done => {
                     const socket = new WebSocket(url);
                     socket.onopen = () => done("open");
                     socket.onerror = () => done("refused");
                   })""",
                f"{address(server).replace('http', 'ws')}tab/{'0' * 16}/socket",
            )
            assert opened == "refused"
            framed = await page.evaluate(
                """url => new Promise(done => {
                     const frame = document.createElement("iframe");
                     frame.onload = () => done(frame.contentDocument === null ? "shut" : "open");
                     frame.src = url;
                     document.body.append(frame);
                   })""",
                address(server),
            )
            assert framed == "shut"
            assert not any(frame.url.startswith(address(server)) for frame in page.frames)
        assert not [pid for pid in below(os.getpid()) if "tests.cli.serve.flood" in command_line(pid)]
