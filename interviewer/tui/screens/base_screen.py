"""The base class of all screens; it makes sure that the app's handlers run only while the widgets exist.

A screen's code can run too early or too late for four reasons: a message or callback is still queued when the app exits
(and some widgets were never mounted), a timer fires, a thread returns a result, or the app handles a priority key. Each
of these four cases is handled in this class or in `BaseApp.run_action`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.widgets import Static

from interviewer.tui.terminal import COLUMNS_MIN, ROWS_MIN


class BaseScreen(Screen[ScreenResultType]):
    """A screen that runs handlers and callbacks only while it is live; Textual's own handlers always run."""

    # Rarely used actions without a key binding, as (description, action) pairs; the command palette lists these
    # actions.
    COMMANDS_WITHOUT_KEY: ClassVar[Sequence[tuple[str, str]]] = ()

    @property
    def is_leaving(self) -> bool:
        """Return whether the app is exiting or widgets are being removed; some widgets may never have been mounted."""
        return self._pruning or self._closing or not self.is_attached

    @property
    def is_live(self) -> bool:
        """Return whether all widgets are mounted and not being removed."""
        return self.is_mounted and not self.is_leaving

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close this screen and all screens above it; do nothing if it is already closed.

        Textual's own method closes the topmost screen, so pressing the key twice would also close the screen below this
        one.
        """
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.screen.dismiss()
        return super().dismiss(result)

    def call_later(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Run a callback once the pending messages are processed and the screen is mounted."""
        return super().call_later(self._gated(partial(callback, *args, **kwargs)))

    def call_next(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Run a callback after the current message; timers and dialog results use this method."""
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
    """A message with the required terminal size; the stylesheet shows it based on the screen's size classes."""

    def __init__(self) -> None:
        needs = f"interviewer needs a window of at least {COLUMNS_MIN} × {ROWS_MIN}."
        super().__init__(f"{needs}\nEnlarge this window. Nothing is lost.", markup=False)
