"""The progress of a batch: how many submissions are done, the rate, and the estimated time left."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS_BETWEEN = 10.0


class Progress:
    """Counts the results of a batch, and returns a line to print about every ten seconds."""

    def __init__(self, total: int, now: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._now = now
        self._done = 0
        self._first_at = 0.0
        self._told_at = 0.0

    def add(self) -> str:
        """Count a result; return a progress line if one is due, and "" otherwise."""
        now = self._now()
        self._done += 1
        if self._done == 1:
            # The rate is measured from the first result, because the time before it includes importing torch.
            self._first_at = self._told_at = now
        if now - self._told_at < SECONDS_BETWEEN or self._done >= self._total:
            return ""
        self._told_at = now
        rate = (self._done - 1) / (now - self._first_at)
        left = _duration((self._total - self._done) / rate)
        return f"{self._done:,} of {self._total:,} done, {rate:.1f} per second, about {left} left"


def _duration(seconds: float) -> str:
    """Return a duration as text, for example "40 s" or "2 h 5 min"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
