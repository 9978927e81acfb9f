"""All settings with their values and sources. A change is saved immediately and takes effect in the next session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from interviewer.config import (
    ABOUT,
    ON_OR_OFF,
    ConfigError,
    Folders,
    Settings,
    check_model,
    check_values,
    choices,
    env_overrides,
    format_value,
    load_settings,
    parse_value,
    save_setting,
)
from interviewer.tui.bindings import find_key_problems
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.text_format import advice, printable
from interviewer.tui.themes import THEMES, use_theme
from interviewer.tui.widgets.lists import KeyFooter, SettingList

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
CHOICES = {"theme": THEMES, "bell": ON_OR_OFF, "animations": ON_OR_OFF, "keep_grader": ON_OR_OFF}


def change_setting(folders: Folders, key: str, text: str) -> tuple[Any, Path]:
    """Parse and save a setting; return the value and the file. Raises ConfigError if the value is invalid."""
    value = parse_value(key, text)
    check_values({key: value}, "settings")
    if key == "model" and value:
        check_model(value)
    if key == "theme" and value not in THEMES:
        raise ConfigError(f"settings: theme: expected one of {', '.join(THEMES)}, got {value!r}")
    if key == "keys" and (said := find_key_problems(value)):
        raise ConfigError("\n".join(f"settings: {problem}" for problem in said))
    return value, save_setting(folders, key, value)


class SettingsScreen(BaseScreen[None]):
    """The list of settings."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", "Back")]

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._app_context = context

    def compose(self) -> ComposeResult:
        """Yield the list, the description of the highlighted setting, and the path of the settings file."""
        yield TooSmall()
        yield Static("Settings", classes="topbar", markup=False)
        yield SettingList(id="settings")
        yield Static("", id="about", markup=False)
        yield Static(f"Settings file: {self._app_context.folders.config_file}", id="file", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Draw the values."""
        self._draw(0)

    def _draw(self, at: int) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        taken_over = env_overrides(self._app_context.environ)
        stored = self._stored()
        width = max(map(len, ABOUT)) + 1
        for key in ABOUT:
            value, later = _shown(self._app_context.settings, key), _shown(stored, key)
            note = f"   {taken_over[key]} overrides the file" if key in taken_over else ""
            if value != later:
                note = f"   only for this run; otherwise {printable(later)}"
            row = Content.assemble((f"{key:{width}}", "$primary"), printable(value), (note, "$text-warning"))
            rows.add_option(Option(row, id=key))
        rows.highlighted = at
        rows.focus()

    def _stored(self) -> Settings:
        """Return the settings without the command-line options that the app was started with.

        If the settings file has become invalid, return the settings in use.
        """
        try:
            return load_settings(self._app_context.folders, self._app_context.environ, {})
        except ConfigError:
            return self._app_context.settings

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the description of the setting."""
        self.query_one("#about", Static).update(ABOUT.get(event.option_id or "", ""))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the new value."""
        key = event.option_id or ""
        now = format_value(getattr(self._app_context.settings, key))

        def change(text: str | None) -> None:
            # The current value may come from the command line; choosing it again saves it.
            stored = format_value(getattr(self._stored(), key))
            if text is not None and {text} != {now, stored}:
                self._change(key, text)

        known = CHOICES.get(key) or choices(key)
        if known:
            preset = known.index(now) if now in known else 0
            self.app.push_screen(ChoiceScreen(key, ABOUT[key], [Choice(name, name) for name in known], preset), change)
        else:
            self.app.push_screen(PromptScreen(key, ABOUT[key], now), change)

    def _change(self, key: str, text: str) -> None:
        try:
            value, path = change_setting(self._app_context.folders, key, text)
        except ConfigError as error:
            self.notify(advice(error), title="Not saved", severity="error", markup=False, timeout=12)
            return
        variable = env_overrides(self._app_context.environ).get(key)
        if variable:
            self.notify(f"Saved, but {variable} is set and overrides it.", markup=False)
        else:
            self._app_context.use(replace(self._app_context.settings, **{key: value}))
            self.notify(f"Saved to {path}", markup=False)
        if key == "theme":
            use_theme(self.app, text)
        elif key == "animations":
            self.app.animation_level = "full" if value else "none"
        elif key == "keys":
            self.app.set_keymap(self._app_context.settings.keys)
        self._draw(list(ABOUT).index(key))


def _shown(settings: Settings, key: str) -> str:
    return format_value(getattr(settings, key)) or "(empty)"
