"""Work beside the event loop: nobody waits for it when the app quits, and its result reaches only a live owner."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Owner(Protocol):
    """The app or a screen, for which the work is done; both run a callback only while they are live."""

    def call_later(self, callback: Callable[..., Any], *args: Any) -> bool:
        """Run a callback in the owner's own queue, after it is mounted and never once it is gone."""
        ...


def run_in_background(
    owner: Owner, act: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> None:
    """Run `act` in a thread, and then one of the other two with its result or error, in the owner's queue.

    A result that comes before the owner is mounted waits for that; one that comes after it is gone is dropped.
    Textual's workers would be waited for at the end: a check that takes seconds would hold up quitting.
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
    # Not call_from_thread: it makes a coroutine and waits for it, which an app that quits meanwhile leaves where it is.
    # Once the loop itself is closed this raises; then nobody wants to know.
    with suppress(RuntimeError):
        owner.call_later(callback, value)
