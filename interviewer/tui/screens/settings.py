"""Every setting with its value and where it comes from; a change is written at once and holds from the next session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.config import ConfigError, check_values, choices, overriding
from interviewer.config_file import save_setting
from interviewer.tui.keymap import complaints
from interviewer.tui.printable import printable
from interviewer.tui.screens.ask import AskScreen
from interviewer.tui.screens.choice import Choice, ChoiceScreen
from interviewer.tui.themes import OFFERED
from interviewer.tui.widgets.lists import SettingList
from interviewer.tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from interviewer.kit import Kit

ABOUT = {
    "model": "The language model, as litellm names it; empty: none, or the one whose key is set.",
    "examiner": "Who judges answers. auto takes the model if there is one.",
    "sandbox": "Where submissions run.",
    "image": "The Docker image of the sandbox; empty: the one that fits this version.",
    "minutes": "How long a mock interview is, if nothing else is said.",
    "persona": "How the interviewer talks.",
    "style": "The kind of company that the interview is like.",
    "strictness": "How much leads you in; judging is the same for all.",
    "spend_cap_usd": "The most that a session's language model may cost, in US dollars; 0: no cap.",
    "token_cap": "The most tokens of a session's model whose price is not known; 0: no cap.",
    "theme": "The colours, also those for high contrast and those of your terminal.",
    "bell": "Whether a challenge rings at 10, 5 and 1 minutes.",
    "animations": "Whether scrolling and dialogs move; off also helps over a slow line.",
    "keys": "Your own keys: binding=key, separated by spaces, as in challenge.hint=f7.",
}
ON_OR_OFF = ("on", "off")
CHOICES = {"theme": OFFERED, "bell": ON_OR_OFF, "animations": ON_OR_OFF}


class SettingsScreen(Screen[None]):
    """List the settings."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", "Back")]

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit

    def compose(self) -> ComposeResult:
        """Yield the list, what is said of the setting under the cursor, and where the file lies."""
        yield TooSmall()
        yield Static("Settings", classes="topbar", markup=False)
        yield SettingList(id="settings")
        yield Static("", id="about", markup=False)
        yield Static(f"Written to {self._kit.folders.config_file}", id="file", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Draw the values."""
        self._draw(0)

    def _draw(self, at: int) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        taken_over = overriding(self._kit.environ)
        for key in ABOUT:
            value = _shown(getattr(self._kit.settings, key)) or "(empty)"
            note = f"   {taken_over[key]} overrides the file" if key in taken_over else ""
            row = Content.assemble((f"{key:15}", "$primary"), printable(value), (note, "$text-warning"))
            rows.add_option(Option(row, id=key))
        rows.highlighted = at
        rows.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the setting is for."""
        self.query_one("#about", Static).update(ABOUT.get(event.option_id or "", ""))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the new value."""
        key = event.option_id or ""
        shown = _shown(getattr(self._kit.settings, key))

        def change(text: str | None) -> None:
            if text is not None and text != shown:
                self._change(key, text)

        known = CHOICES.get(key) or choices(key)
        if known:
            preset = known.index(shown) if shown in known else 0
            self.app.push_screen(ChoiceScreen(key, ABOUT[key], [Choice(one, one) for one in known], preset), change)
        else:
            self.app.push_screen(AskScreen(key, ABOUT[key], shown), change)

    def _change(self, key: str, text: str) -> None:
        try:
            value = _parsed(key, text, type(getattr(self._kit.settings, key)))
            check_values({key: value}, "settings")
            if key == "keys" and (said := complaints(value)):
                raise ConfigError("\n".join(said))
            path = save_setting(self._kit.folders, key, value)
        except ConfigError as error:
            self.notify(str(error), title="Not saved", severity="error", markup=False, timeout=12)
            return
        variable = overriding(self._kit.environ).get(key)
        if variable:
            self.notify(f"Saved, but {variable} is set and goes before it.", markup=False)
        else:
            self._kit.use(replace(self._kit.settings, **{key: value}))
            self.notify(f"Saved to {path}", markup=False)
        if key == "theme":
            self.app.theme = text
        elif key == "animations":
            self.app.animation_level = "full" if value else "none"
        elif key == "keys":
            self.app.set_keymap(self._kit.settings.keys)
        self._draw(list(ABOUT).index(key))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={keys}" for name, keys in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def _parsed(key: str, text: str, kind: type) -> Any:
    if kind is bool:
        return text == "on"
    if kind in {int, float}:
        try:
            return kind(text)
        except ValueError:
            raise ConfigError(f"{key}: expected a number, got {text!r}") from None
    if kind is dict:
        pairs = [word.partition("=") for word in text.split()]
        for name, _, keys in pairs:
            if not keys:
                raise ConfigError(f"{key}: expected binding=key, got {name!r}; F1 on a screen names the bindings")
        return {name: keys for name, _, keys in pairs}
    return text
