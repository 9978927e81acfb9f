"""The clock of one session: pauses, the machine's sleep and changed dates do not count, and it never runs back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

# The draft slot that holds a note of the time that ran since the session's last event.
CLOCK_SLOT = "clock"


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


def clock_note(last_at: float, seconds_since: float) -> str:
    """Return a note of how many seconds have run since the session's last event; kept as a draft."""
    return f"{last_at!r} {seconds_since:.1f}"


def noted_seconds(note: str, last_at: float) -> float:
    """Return the seconds of a note; 0 for a note of an earlier event or none, so that nobody pays for lost time."""
    noted_at, _, seconds = note.partition(" ")
    try:
        return float(seconds) if float(noted_at) == last_at else 0.0
    except ValueError:
        return 0.0
