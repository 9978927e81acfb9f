"""Keeps keys that were meant for a text field away from a dialog or list that appears while the user is typing."""

from __future__ import annotations

import time

OPEN_SECONDS, KEEPS_TYPING_SECONDS = 1.0, 0.5


class TypingGuard:
    """On for OPEN_SECONDS after its start, and for KEEPS_TYPING_SECONDS after each key that extends it."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Return whether a key may still be meant for the text field."""
        return time.monotonic() < self._until

    def start(self) -> None:
        """Turn the guard on, because something appears."""
        self._until = time.monotonic() + OPEN_SECONDS

    def extend(self) -> None:
        """Keep the guard on, because the user is still typing."""
        self._until = max(self._until, time.monotonic() + KEEPS_TYPING_SECONDS)

    def stop(self) -> None:
        """Turn the guard off, because the user has stopped typing."""
        self._until = 0.0
