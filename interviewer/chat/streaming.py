"""Read an asynchronous stream from a blocking thread; every wait has a timeout and can be cancelled."""

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

# litellm keeps its connections by the id of the event loop. A loop made for each call would be freed, its id given to
# the next one, and that call handed a connection of a dead loop. So loops are kept, and one call at a time has each.
_idle_loops: list[asyncio.AbstractEventLoop] = []


@dataclass(frozen=True)
class Timeouts:
    """Hold how long a model may be silent before its first word and between words, and how long a reply may take."""

    first_seconds: float = 120.0
    between_seconds: float = 30.0
    whole_seconds: float = 600.0


class StreamTimedOut(Exception):
    """Say which timeout passed, as the end of a sentence that begins with the model's name."""


class StreamCancelled(Exception):
    """Say that the caller no longer wants the reply."""


def never_cancelled() -> bool:
    """Return False: the caller never stops."""
    return False


def iterate_blocking(
    source: AsyncGenerator[Item, None], timeouts: Timeouts, is_cancelled: Callable[[], bool] = never_cancelled
) -> Iterator[Item]:
    """Yield what the source yields, driving an event loop in the calling thread; closes the source in any case.

    Raises: StreamTimedOut, StreamCancelled, and whatever the source raises.
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
            why = f"stopped sending for {timeouts.between_seconds:g} s in the middle of the reply"
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
    # asyncio.timeout would end a silence, but only polling also sees a user who stops during one.
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
        task.cancel()  # closes the socket: the pending read lives in this task
        await asyncio.wait({task}, timeout=CLOSE_SECONDS)


async def _next(source: AsyncGenerator[Item, None]) -> Item:
    try:
        return await anext(source)
    except StopAsyncIteration:
        raise _Ended from None


async def _close(source: AsyncGenerator[Item, None]) -> None:
    # Also one that will not stop, which is an error of its own here: it must not stand in place of why it was closed.
    with suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await source.aclose()


class _Ended(Exception):
    """Stands for StopAsyncIteration, which no task may raise."""


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Result]) -> Result:
    task = loop.create_task(work)
    try:
        return loop.run_until_complete(task)
    except BaseException:
        # Ctrl-C leaves the task half done in a loop that the next call would go on with.
        if not task.done():
            task.cancel()
            loop.run_until_complete(asyncio.wait({task}))
        raise
