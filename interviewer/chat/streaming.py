"""Reads an asynchronous stream from a blocking thread; every wait has a timeout and can be canceled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
POLL_SECONDS = 0.05
CLOSE_SECONDS = 2.0

# litellm caches its connections by the id of the event loop. If each call created a new loop, an id could be reused,
# and a call would get a connection that belongs to a closed loop. So loops are reused, but each loop runs only one call
# at a time.
_idle_loops: list[asyncio.AbstractEventLoop] = []


@dataclass(frozen=True)
class Timeouts:
    """Timeouts: the maximum wait for the first token and between tokens, and the maximum duration of a reply."""

    first_seconds: float = 120.0
    between_seconds: float = 30.0
    whole_seconds: float = 600.0


class StreamTimedOut(Exception):
    """A timeout expired.

    The message says which timeout it was. It continues a sentence that begins with the model's name, for example "sent
    nothing for 120 s".
    """


class StreamCancelled(Exception):
    """The caller canceled the reply."""


def never_cancelled() -> bool:
    """Return False, for callers that never cancel."""
    return False


def iterate_blocking(
    source: AsyncGenerator[Item, None], timeouts: Timeouts, is_cancelled: Callable[[], bool] = never_cancelled
) -> Iterator[Item]:
    """Yield the items of an async source by running an event loop in this thread; always close the source.

    Raises StreamTimedOut if a wait takes too long, StreamCancelled if the caller cancels, and any error from the
    source.
    """
    loop = _take_loop()
    end = time.monotonic() + timeouts.whole_seconds
    silent_seconds, why = timeouts.first_seconds, f"sent nothing for {timeouts.first_seconds:g} s"
    try:
        while True:
            left_seconds = end - time.monotonic()
            if left_seconds < silent_seconds:
                silent_seconds, why = left_seconds, f"did not finish within {timeouts.whole_seconds:g} s"
            try:
                item = _run(loop, _guard(source, silent_seconds, why, is_cancelled))
            except _Ended:
                return
            yield item
            silent_seconds = timeouts.between_seconds
            why = f"sent nothing for {timeouts.between_seconds:g} s in the middle of the reply"
    finally:
        _run(loop, _close(source))
        _idle_loops.append(loop)


def _take_loop() -> asyncio.AbstractEventLoop:
    try:
        return _idle_loops.pop()
    except IndexError:
        return asyncio.new_event_loop()


async def _guard(
    source: AsyncGenerator[Item, None], seconds: float, why: str, is_cancelled: Callable[[], bool]
) -> Item:
    # asyncio.timeout would also end a wait that yields nothing, but only polling notices when the user cancels during
    # the wait.
    end = time.monotonic() + seconds
    task = asyncio.ensure_future(_next(source))
    try:
        while not task.done():
            if is_cancelled():
                raise StreamCancelled
            if time.monotonic() >= end:
                raise StreamTimedOut(why)
            await asyncio.wait({task}, timeout=min(POLL_SECONDS, max(0.0, end - time.monotonic())))
        return task.result()
    finally:
        task.cancel()  # this also closes the socket, because the task owns the pending read
        await asyncio.wait({task}, timeout=CLOSE_SECONDS)


async def _next(source: AsyncGenerator[Item, None]) -> Item:
    try:
        return await anext(source)
    except StopAsyncIteration:
        raise _Ended from None


async def _close(source: AsyncGenerator[Item, None]) -> None:
    # Suppress errors raised while closing, including the timeout of a source that does not stop, so that they do not
    # hide the original error.
    with suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await source.aclose()


class _Ended(Exception):
    """Replaces StopAsyncIteration, which an asyncio task must not raise."""


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Result]) -> Result:
    task = loop.create_task(work)
    try:
        return loop.run_until_complete(task)
    except BaseException:
        # Ctrl+C leaves an unfinished task in a loop that the next call would reuse.
        if not task.done():
            task.cancel()
            loop.run_until_complete(asyncio.wait({task}))
        raise
