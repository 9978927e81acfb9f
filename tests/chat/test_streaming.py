from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

import pytest

from interviewer.chat.streaming import StreamCancelled, StreamTimedOut, Timeouts, iterate_blocking

# Longer than any test may take: whatever waits this long ends only because it is stopped.
ENDLESS_SECONDS = 10.0**6
ENDLESS = Timeouts(ENDLESS_SECONDS, ENDLESS_SECONDS, ENDLESS_SECONDS)


def after(times: int) -> Callable[[], bool]:
    """Return a function that is false this many times and then true."""
    answers = itertools.chain(itertools.repeat(False, times), itertools.repeat(True))
    return lambda: next(answers)


class Source:
    """Yields numbers with a pause before each, and records whether it was closed."""

    def __init__(self, *pauses: float) -> None:
        self.pauses = pauses
        self.is_closed = False

    async def items(self) -> AsyncGenerator[int, None]:
        try:
            for number, pause in enumerate(self.pauses):
                await asyncio.sleep(pause)
                yield number
        finally:
            self.is_closed = True


def test_everything_comes_in_order() -> None:
    source = Source(0, 0.01, 0)
    assert list(iterate_blocking(source.items(), Timeouts())) == [0, 1, 2]
    assert source.is_closed


@pytest.mark.parametrize(
    ("pauses", "timeouts", "count", "says"),
    [
        ((9, 0), Timeouts(0.1, 5, 5), 0, "sent nothing for 0.1 s"),
        ((0, 9), Timeouts(5, 0.1, 5), 1, "sent nothing for 0.1 s in the middle of the reply"),
        ((0.05,) * 100, Timeouts(5, 5, 0.22), 4, "did not finish within 0.22 s"),
    ],
)
def test_a_source_that_takes_too_long_is_closed(
    pauses: tuple[float, ...], timeouts: Timeouts, count: int, says: str
) -> None:
    source = Source(*pauses)
    got: list[int] = []
    with pytest.raises(StreamTimedOut, match=says):
        got.extend(iterate_blocking(source.items(), timeouts))
    assert len(got) in (count, count - 1)
    assert source.is_closed


def test_one_loop_serves_call_after_call() -> None:
    async def loops() -> AsyncGenerator[asyncio.AbstractEventLoop, None]:
        yield asyncio.get_running_loop()

    (first,), (second,) = iterate_blocking(loops(), Timeouts()), iterate_blocking(loops(), Timeouts())
    assert first is second
    outer = iterate_blocking(loops(), Timeouts())
    assert next(outer) is not next(iterate_blocking(loops(), Timeouts()))


def test_an_error_comes_through_as_it_is() -> None:
    async def broken() -> AsyncGenerator[int, None]:
        yield 1
        raise LookupError("gone")

    items = iterate_blocking(broken(), Timeouts())
    assert next(items) == 1
    with pytest.raises(LookupError, match="gone"):
        next(items)


def test_stopping_interrupts_a_silence() -> None:
    source = Source(ENDLESS_SECONDS)
    with pytest.raises(StreamCancelled):
        list(iterate_blocking(source.items(), ENDLESS, after(3)))
    assert source.is_closed


def test_ctrl_c_leaves_nothing_behind() -> None:
    source, is_over = Source(ENDLESS_SECONDS), after(3)

    def interrupt() -> bool:
        if is_over():
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        list(iterate_blocking(source.items(), ENDLESS, interrupt))
    assert source.is_closed
    assert list(iterate_blocking(Source(0, 0).items(), Timeouts())) == [0, 1]


def test_a_source_that_will_not_stop_is_left_and_the_caller_told_what_happened() -> None:
    is_left = False

    async def stubborn() -> AsyncGenerator[int, None]:
        while not is_left:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.5)
        yield 1

    with pytest.raises(StreamCancelled):
        list(iterate_blocking(stubborn(), ENDLESS, after(3)))
    is_left = True
    assert list(iterate_blocking(Source(0, 0).items(), Timeouts())) == [0, 1]


def test_a_source_that_nobody_reads_on_may_fail_at_its_end() -> None:
    async def torn() -> AsyncGenerator[int, None]:
        try:
            yield 1
            yield 2
        finally:
            raise ConnectionError("torn")

    items = iterate_blocking(torn(), Timeouts())
    assert next(items) == 1
    items.close()  # type: ignore[attr-defined]
    assert list(iterate_blocking(Source(0, 0).items(), Timeouts())) == [0, 1]
