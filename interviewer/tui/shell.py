"""What holds on every screen: the keys, the themes, the palette and the user's own keys; it opens no session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from interviewer.tui.palette import commands_of
from interviewer.tui.sizes import COLUMNS_MIN, HIGH_ROWS, ROWS_MIN, WIDE_COLUMNS
from interviewer.tui.terminal_keys import teach_alt_enter
from interviewer.tui.themes import use_themes


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
        use_themes(self, theme)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the built-in commands and every action of the screen, so that the palette knows them all."""
        yield from super().get_system_commands(screen)
        yield from commands_of(screen)

    def action_keys(self) -> None:
        """Show the keys that work on this screen."""
        from interviewer.tui.screens.help import HelpScreen, keys_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(keys_of(self.screen)))

    def action_raw(self) -> None:
        """Show the formulas on this screen as TeX, or drawn again."""
        from interviewer.tui.widgets.safe_markdown import SafeMarkdown

        self._is_raw = not self._is_raw
        shown = [one.show_raw(self._is_raw) for one in self.screen.query(SafeMarkdown)]
        if not any(shown):
            self.notify("There is no formula here.", markup=False)

    def use_keys(self, keys: Mapping[str, str]) -> None:
        """Let the user's own keys hold, and name what is wrong with them."""
        self.set_keymap(dict(keys))
        if keys:
            from interviewer.tui.keymap import complaints

            for said in complaints(keys):
                self.notify(f"{said}. s at home changes it.", severity="warning", markup=False, timeout=15)
