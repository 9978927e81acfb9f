"""The clock of one session: pauses, the machine's sleep and changed dates do not count, and it never runs back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class SessionClock:
    """Tell the time of one session in seconds since 1970; stands still while paused and from `stop_at` on."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        # The wall clock is read once: a date set by hand or by the network would cheat or punish.
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
        """Return whether it stands still."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Stand still from now on."""
        if self._paused_at is None:
            self._paused_at = self._now()

    def go_on(self) -> None:
        """Run again from where it stood."""
        if self._paused_at is not None:
            self._zero += self._now() - self._paused_at
            self._paused_at = None

    def _now(self) -> float:
        return self._began_at + self._monotonic() - self._zero
