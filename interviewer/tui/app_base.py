"""The base class of all apps in this package; handles keys, themes, the command palette, the clipboard and signals.

The base class does not open a session.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Protocol, runtime_checkable

from rich.text import Text
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.actions import ActionParseResult
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.keys import Keys
from textual.screen import Screen
from textual.worker import WorkerFailed

from interviewer.tui import bindings, navigation
from interviewer.tui.ascii import draws_ascii, transliterate
from interviewer.tui.ascii_filter import install_ascii_filter
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen
from interviewer.tui.terminal import (
    COLUMNS_MIN,
    HIGH_ROWS,
    ROWS_MIN,
    SENT,
    WIDE_COLUMNS,
    clipboard_commands,
    copy_with,
    terminal_sequence,
    watch_terminal,
)
from interviewer.tui.text_format import parting_words, printable
from interviewer.tui.themes import use_themes

QUIT_SECONDS = 3.0


@runtime_checkable
class DrawsFormulas(Protocol):
    """A widget that can contain formulas.

    The app checks for this protocol, not for a Markdown class, so that Markdown is not imported before the first frame.
    """

    def show_raw(self, is_raw: bool) -> bool:
        """Show formulas as TeX or rendered; return whether the widget has any."""
        ...


class BaseApp(App[None]):
    """Shared behavior for all screens of an app."""

    TITLE = "interviewer"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings.EVERYWHERE

    def __init__(self, theme: str) -> None:
        super().__init__()
        register_alt_enter()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (COLUMNS_MIN, "-narrow"), (WIDE_COLUMNS, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-flat"), (ROWS_MIN, "-short"), (HIGH_ROWS, "-high")]
        self._is_raw = False
        self._ctrl_c_at = -QUIT_SECONDS
        use_themes(self, theme)
        self._is_ascii = draws_ascii()
        if self._is_ascii:
            install_ascii_filter(self)

    def call_later(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Run a callback after the pending messages have been processed, unless the app exits first."""

        async def run() -> None:
            if not self._exit:
                result = callback(*args, **kwargs)
                if inspect.isawaitable(result):
                    await result

        return super().call_later(run)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action. Wait until the action's screen is mounted; if it is closing, drop the action.

        The app itself runs priority key bindings as soon as a screen is on the stack.
        """
        if isinstance(default_namespace, BaseScreen) and not default_namespace.is_live:
            return default_namespace.call_later(self.run_action, action, default_namespace, namespaces)
        return await super().run_action(action, default_namespace, namespaces)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the built-in commands and every action of the screen, so that the palette lists all of them."""
        yield from super().get_system_commands(screen)
        yield from commands_of(screen)

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as the footer shows it, in ASCII if necessary."""
        shown = super().get_key_display(binding)
        if self._is_ascii:
            shown = transliterate(shown)
        return shown

    async def on_event(self, event: events.Event) -> None:
        """Drop typed text while the window-size message covers the fields, because the user cannot see the text."""
        is_typed = isinstance(event, events.Paste) or (isinstance(event, events.Key) and event.is_printable)
        if is_typed and self.screen_stack and (self.screen.has_class("-tiny") or self.screen.has_class("-flat")):
            return
        await super().on_event(event)

    def notify(self, message: str, **options: Any) -> None:
        """Show a notification; its text may come from a model, a server or a file."""
        super().notify(printable(message), **options)

    def action_help_quit(self) -> None:
        """Quit on the second ctrl+c if there is nothing to copy; the first ctrl+c shows a hint."""
        before, self._ctrl_c_at = self._ctrl_c_at, time.monotonic()
        if self._ctrl_c_at - before < QUIT_SECONDS:
            self.call_later(self.run_action, "quit")
        else:
            self.notify(
                "Press ctrl+c again (or ctrl+q) to quit. What you typed is saved.", markup=False, timeout=QUIT_SECONDS
            )

    def copy_to_clipboard(self, text: str) -> None:
        """Copy the text with the best available method, and notify the user which method was used."""
        self._clipboard = text

        def notify_copied(how: str) -> None:
            if not how and self._driver is not None:
                self._driver.write(terminal_sequence(text, os.environ))
            self.notify(how or SENT, markup=False)

        if commands := clipboard_commands(os.environ):
            run_in_background(self, lambda: copy_with(text, commands), notify_copied, lambda _: notify_copied(""))
        else:
            notify_copied("")

    def action_keys(self) -> None:
        """Show the keys that work on this screen."""
        navigation.show_keys(self)

    def action_raw(self) -> None:
        """Toggle the formulas on this screen between TeX source and rendered form."""
        self._is_raw = not self._is_raw
        widgets = [widget for widget in self.screen.query("*") if isinstance(widget, DrawsFormulas)]
        has_formula = [widget.show_raw(self._is_raw) for widget in widgets]
        if not any(has_formula):
            self.notify("No formulas on this screen.", markup=False)

    def _handle_exception(self, error: Exception) -> None:
        """Exit the app with a message that shows an error id instead of a traceback.

        Textual's own traceback contains the values of all variables, such as answers and API keys.
        """
        super()._handle_exception(error)
        cause = error.error if isinstance(error, WorkerFailed) else error
        self._exit_renderables[:] = [Text(printable(parting_words(cause)))]

    def watch_app_focus(self, is_focused: bool) -> None:
        """Focus a screen that opened while the window had no focus, for example in a browser tab.

        Without focus, key presses for the screen would be lost.
        """
        if is_focused and self.screen_stack and self.screen.focused is None:
            self.screen._update_auto_focus()

    def quit_on_signals(self, quit_now: Callable[[], object]) -> None:
        """Quit cleanly on SIGTERM and SIGHUP: save what was typed and restore the terminal."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, quit_now)
            watch_terminal()

    def use_keys(self, keys: Mapping[str, str]) -> None:
        """Apply the user's own key bindings, and report problems with them."""
        self.set_keymap(dict(keys))
        if keys:
            for complaint in bindings.find_key_problems(keys):
                self.notify(
                    f"{complaint}. To change key bindings, press s on the home screen.",
                    severity="warning",
                    markup=False,
                    timeout=15,
                )


def register_alt_enter() -> None:
    """Treat alt+enter like ctrl+j; without the Kitty protocol, Textual 8.2.8 reads alt+enter as a caret and enter."""
    sequences = ANSI_SEQUENCES_KEYS
    if isinstance(sequences, dict):
        sequences["\x1b\r"] = (Keys.ControlJ,)


def commands_of(screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Yield a command for each action that the screen currently allows; its help text names the key, if any."""
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.node is screen and active.enabled and binding.description:
            run = partial(screen.call_later, screen.run_action, binding.action)
            yield SystemCommand(binding.description, f"Key: {screen.app.get_key_display(binding)}", run)
    for description, action in screen.COMMANDS_WITHOUT_KEY if isinstance(screen, BaseScreen) else ():
        if screen.check_action(action, ()):
            yield SystemCommand(description, "No key", partial(screen.call_later, screen.run_action, action))


def destinations_of(commands: Mapping[str, Callable[[], None]]) -> Iterator[SystemCommand]:
    """Yield a command for each screen that can be opened."""
    for name, open_screen in commands.items():
        yield SystemCommand(name, "Open", open_screen)
