"""Work beside the event loop that nobody waits for when the app quits: its thread ends with the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from textual.app import App

T = TypeVar("T")


def in_background(
    app: App[Any], act: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> None:
    """Run `act` in a thread, and then one of the other two with its result or error, in the app's own thread.

    Textual's workers would be waited for at the end: a check that takes seconds would hold up quitting.
    """

    def run() -> None:
        try:
            result = act()
        except Exception as error:
            _tell(app, failed, error)
        else:
            _tell(app, then, result)

    threading.Thread(target=run, daemon=True).start()


def _tell(app: App[Any], told: Callable[[Any], None], value: object) -> None:
    # Not call_from_thread: it makes a coroutine and waits for it, which an app that quits meanwhile leaves where it is.
    # Once the loop itself is closed this raises; then nobody wants to know.
    with suppress(RuntimeError):
        app.call_later(told, value)
