"""The rate and the time left, reported about every ten seconds."""

from __future__ import annotations

import pytest

from interviewer.cli.batch.progress import Progress


def lines(total: int, seconds_each: float, start_seconds: float = 0.0) -> list[str]:
    clock = start_seconds

    def now() -> float:
        return clock

    progress, told = Progress(total, now), []
    for _ in range(total):
        told.append(progress.add())
        clock += seconds_each
    return [line for line in told if line]


def test_a_short_batch_says_nothing() -> None:
    assert lines(100, 0.05) == []


def test_the_rate_is_counted_from_the_first_result() -> None:
    told = lines(5000, 0.0625, start_seconds=50.0)
    assert told[0] == "161 of 5,000 done, 16.0 per second, about 5 min left"
    assert len(told) == 31, "a line every ten seconds"


@pytest.mark.parametrize(
    ("total", "shown"), [(31, "about 20 s left"), (131, "about 2 min left"), (4011, "about 1 h 7 min left")]
)
def test_the_time_left_is_easy_to_read(total: int, shown: str) -> None:
    assert lines(total, 1.0)[0].endswith(shown)
