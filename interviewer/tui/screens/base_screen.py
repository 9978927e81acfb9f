"""The screen that all others are made from: none of its code runs before its widgets are there, nor once they go.

A screen can be touched too late or too early from four sides: by a message or callback that is still in its queue when
the app ends (widgets that were being composed then never arrive), by a timer, by the result of a thread, and by a key
with priority, which the app handles itself. Each of them passes a gate here or in `BaseApp.run_action`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from textual import events
from textual.await_complete import AwaitComplete
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.widgets import Static

from interviewer.tui.terminal import COLUMNS_MIN, ROWS_MIN


class BaseScreen(Screen[ScreenResultType]):
    """Run handlers and callbacks only while the screen is live; Textual's own always run."""

    @property
    def is_leaving(self) -> bool:
        """Return whether the widgets are being removed, or the app ends, in which case some may never have come."""
        return self._pruning or self._closing or not self.is_attached

    @property
    def is_live(self) -> bool:
        """Return whether all widgets are there, and stay."""
        return self.is_mounted and not self.is_leaving

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close this screen and whatever lies over it; a screen that is closed already stays closed.

        Textual's own would close the topmost screen, whichever it is: a second key would close the screen below.
        """
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.screen.dismiss()
        return super().dismiss(result)

    def call_later(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Run a callback after the messages that are waiting; before the screen is mounted it waits for that."""
        return super().call_later(self._gated(partial(callback, *args, **kwargs)))

    def call_next(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Run a callback after the current message; timers and the results of dialogs arrive here."""
        super().call_next(self._gated(partial(callback, *args, **kwargs)))

    def _gated(self, callback: partial[Any]) -> Callable[[], Any]:
        if _is_textuals(callback):
            return callback

        async def run() -> None:
            if not self.is_leaving:
                result = callback()
                if inspect.isawaitable(result):
                    await result

        return run

    def _get_dispatch_methods(
        self, method_name: str, message: Message
    ) -> Iterable[tuple[type, Callable[[Message], Awaitable[Any]]]]:
        for cls, method in super()._get_dispatch_methods(method_name, message):
            if _is_textuals(cls) or isinstance(message, events.Unmount) or not self.is_leaving:
                yield cls, method


def _is_textuals(code: Any) -> bool:
    while isinstance(code, partial):
        code = code.func
    return str(getattr(code, "__module__", "")).startswith("textual.")


class TooSmall(Static):
    """Say how much room is needed; the stylesheet shows it by the screen's size classes."""

    def __init__(self) -> None:
        needs = f"interviewer needs a window of at least {COLUMNS_MIN} × {ROWS_MIN}."
        super().__init__(f"{needs}\nEnlarge this window. Nothing is lost.", markup=False)
