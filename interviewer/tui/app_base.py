"""What holds on every screen: the keys, the themes, the palette and the user's own keys; it opens no session."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from interviewer.lettering import draws_ascii
from interviewer.tui.hangup import watch_terminal
from interviewer.tui.palette import commands_of
from interviewer.tui.printable import printable
from interviewer.tui.sizes import COLUMNS_MIN, HIGH_ROWS, ROWS_MIN, WIDE_COLUMNS
from interviewer.tui.terminal_keys import teach_alt_enter
from interviewer.tui.themes import use_themes

QUIT_SECONDS = 3.0


class Shell(App[None]):
    """Hold what the app's screens share."""

    TITLE = "interviewer"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "Keys", id="keys"),
        Binding("question_mark", "keys", "Keys", show=False),
        Binding("ctrl+g", "raw", "Formulas as TeX, or drawn", show=False, id="raw"),
        Binding("ctrl+q", "quit", "Quit", priority=True, show=False, id="quit"),
    ]

    def __init__(self, theme: str) -> None:
        super().__init__()
        teach_alt_enter()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (COLUMNS_MIN, "-narrow"), (WIDE_COLUMNS, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-flat"), (ROWS_MIN, "-short"), (HIGH_ROWS, "-high")]
        self._is_raw = False
        self._ctrl_c_at = -QUIT_SECONDS
        use_themes(self, theme)
        self._is_ascii = draws_ascii()
        if self._is_ascii:
            from interviewer.tui.ascii_filter import use_ascii

            use_ascii(self)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the built-in commands and every action of the screen, so that the palette knows them all."""
        yield from super().get_system_commands(screen)
        yield from commands_of(screen)

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as the footer shows it, where need be without the signs that only Unicode has."""
        shown = super().get_key_display(binding)
        if self._is_ascii:
            from interviewer.tui.ascii import spelled

            shown = spelled(shown)
        return shown

    def action_help_quit(self) -> None:
        """Quit when ctrl+c, which found nothing to copy, comes twice; the first says so."""
        before, self._ctrl_c_at = self._ctrl_c_at, time.monotonic()
        if self._ctrl_c_at - before < QUIT_SECONDS:
            self.call_later(self.run_action, "quit")
        else:
            self.notify(
                "ctrl+c once more, or ctrl+q, quits; what was typed is kept.", markup=False, timeout=QUIT_SECONDS
            )

    def copy_to_clipboard(self, text: str) -> None:
        """Copy the text in the best way there is here, and say which that was."""
        from interviewer.tui.background import in_background
        from interviewer.tui.terminal import SENT, hand_over, terminal_sequence, tools

        self._clipboard = text

        def told(how: str) -> None:
            if not how and self._driver is not None:
                self._driver.write(terminal_sequence(text, os.environ))
            self.notify(how or SENT, markup=False)

        if commands := tools(os.environ):
            in_background(self, lambda: hand_over(text, commands), told, lambda _: told(""))
        else:
            told("")

    def action_keys(self) -> None:
        """Show the keys that work on this screen."""
        from interviewer.tui.screens.help import HelpScreen, keys_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(keys_of(self.screen)))

    def action_raw(self) -> None:
        """Show the formulas on this screen as TeX, or drawn again."""
        from interviewer.tui.widgets.markdown import SafeMarkdown

        self._is_raw = not self._is_raw
        shown = [one.show_raw(self._is_raw) for one in self.screen.query(SafeMarkdown)]
        if not any(shown):
            self.notify("There is no formula here.", markup=False)

    def _handle_exception(self, error: Exception) -> None:
        """End the app; what is said then has an id instead of a traceback.

        Textual's own words hold the values of all variables: answers, and keys.
        """
        from rich.text import Text
        from textual.worker import WorkerFailed

        from interviewer.tui.error_text import parting_words

        super()._handle_exception(error)
        cause = error.error if isinstance(error, WorkerFailed) else error
        self._exit_renderables[:] = [Text(printable(parting_words(cause)))]

    def watch_app_focus(self, is_focused: bool) -> None:
        """Give the focus to a screen that was opened while the window had none, as in a tab: its keys would be lost."""
        if is_focused and self.screen.focused is None:
            self.screen._update_auto_focus()

    def quit_on_signals(self, quit_now: Callable[[], object]) -> None:
        """Let a kill and a closed window quit in order: what was typed saved, the terminal as it was."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, quit_now)
            watch_terminal()

    def use_keys(self, keys: Mapping[str, str]) -> None:
        """Let the user's own keys hold, and name what is wrong with them."""
        self.set_keymap(dict(keys))
        if keys:
            from interviewer.tui.bindings import complaints

            for said in complaints(keys):
                self.notify(f"{said}. s at home changes it.", severity="warning", markup=False, timeout=15)
