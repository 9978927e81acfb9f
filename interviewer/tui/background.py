"""Background work: the app does not wait for it when quitting, and its result is only delivered to a live owner."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Owner(Protocol):
    """The app or screen that the background work belongs to; it runs callbacks only while it is live."""

    def call_later(self, callback: Callable[..., Any], *args: Any) -> bool:
        """Run a callback on the owner's message queue, after the owner is mounted and never after it is removed."""
        ...


def run_in_background(
    owner: Owner, act: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> None:
    """Run `act` in a thread, then call `then` with its result or `failed` with its error on the owner's message queue.

    If the owner is not mounted yet, the callback waits; if the owner is gone, the callback is dropped. Textual's
    workers are not used, because the app waits for them on exit: a slow check would delay quitting.
    """

    def run() -> None:
        try:
            result = act()
        except Exception as error:
            _deliver(owner, failed, error)
        else:
            _deliver(owner, then, result)

    threading.Thread(target=run, daemon=True).start()


def _deliver(owner: Owner, callback: Callable[[Any], None], value: object) -> None:
    # Do not use call_from_thread: it creates a coroutine and waits for it, and when the app is exiting, the coroutine
    # never runs. If the event loop is already closed, call_later raises, but then the result is no longer needed.
    with suppress(RuntimeError):
        owner.call_later(callback, value)
