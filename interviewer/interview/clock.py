"""The clock of one session: it ignores pauses, system sleep and date changes, and never runs backward."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class SessionClock:
    """Return the time of one session in seconds since 1970; stops while paused and at `stop_at`."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        # The wall clock is read only once: a later change of the system date must not add or remove time.
        self._began_at = wall()
        self._monotonic = monotonic
        self._zero = monotonic()
        self._paused_at: float | None = None
        self.stop_at = math.inf

    def __call__(self) -> float:
        """Return the session's time."""
        return min(self._now() if self._paused_at is None else self._paused_at, self.stop_at)

    @property
    def is_paused(self) -> bool:
        """Return whether the clock is paused."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Pause the clock."""
        if self._paused_at is None:
            self._paused_at = self._now()

    def resume(self) -> None:
        """Continue from the time of the pause."""
        if self._paused_at is not None:
            self._zero += self._now() - self._paused_at
            self._paused_at = None

    def _now(self) -> float:
        return self._began_at + self._monotonic() - self._zero
