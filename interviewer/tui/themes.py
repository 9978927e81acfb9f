"""Color themes: calm grays and an accent. All text in every offered theme is legible (WCAG AA, 4.5:1)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="interviewer-dark",
    primary="#7cc0ae",
    secondary="#9dabb7",
    accent="#7cc0ae",
    foreground="#d9dde2",
    background="#14171a",
    surface="#191d21",
    panel="#22272d",
    warning="#dfae5f",
    error="#ec7f79",
    success="#93c47d",
    variables={
        "border": "#7cc0ae",
        "border-blurred": "#39414a",
        "footer-background": "#191d21",
        "footer-key-foreground": "#7cc0ae",
        "block-cursor-background": "#233a35",
        "block-cursor-foreground": "#eef2f4",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#252b31",
        "input-selection-background": "#7cc0ae 35%",
        "scrollbar": "#343b43",
        "scrollbar-hover": "#47515b",
        "scrollbar-active": "#7cc0ae",
        "scrollbar-background": "#191d21",
        "scrollbar-background-hover": "#191d21",
        "scrollbar-background-active": "#191d21",
    },
)
LIGHT = Theme(
    name="interviewer-light",
    primary="#1f6f5f",
    secondary="#55616c",
    accent="#1f6f5f",
    foreground="#23292f",
    background="#f6f5f1",
    surface="#fbfaf7",
    panel="#ebe9e3",
    warning="#8a5a00",
    error="#b3322c",
    success="#3c6e23",
    dark=False,
    variables={
        "border": "#1f6f5f",
        "border-blurred": "#cfccc3",
        "footer-background": "#ebe9e3",
        "footer-key-foreground": "#1f6f5f",
        "block-cursor-background": "#cfe5de",
        "block-cursor-foreground": "#14201c",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e3e1da",
        "input-selection-background": "#1f6f5f 30%",
        "scrollbar": "#c9c6bc",
        "scrollbar-hover": "#b3b0a6",
        "scrollbar-active": "#1f6f5f",
        "scrollbar-background": "#ebe9e3",
        "scrollbar-background-hover": "#ebe9e3",
        "scrollbar-background-active": "#ebe9e3",
    },
)
CONTRAST = Theme(
    name="interviewer-contrast",
    primary="#ffd75f",
    secondary="#e4e4e4",
    accent="#ffd75f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    warning="#ffaf00",
    error="#ff8787",
    success="#87ff87",
    variables={
        "border": "#ffd75f",
        "border-blurred": "#bcbcbc",
        "footer-background": "#000000",
        "footer-key-foreground": "#ffd75f",
        "block-cursor-background": "#444444",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#303030",
        "input-selection-background": "#ffd75f 45%",
        "scrollbar": "#bcbcbc",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffd75f",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
    },
)
OWN = (DARK, LIGHT, CONTRAST)
# The app's own themes, plus popular Textual themes; the ansi themes use the terminal's palette.
OFFERED = (
    *(theme.name for theme in OWN),
    *("nord", "gruvbox", "dracula", "tokyo-night", "monokai"),
    *("catppuccin-latte", "solarized-light", "rose-pine-dawn"),
    *("ansi-dark", "ansi-light"),
)
# With this setting, the theme depends on the terminal's background.
AUTO = "auto"
THEMES = (AUTO, *OFFERED)
# The light colors among the 16 in COLORFGBG: white, and all bright colors except gray.
_LIGHT_GROUNDS = frozenset({"7", *map(str, range(9, 16))})
# Replacements for colors that are not legible in some of Textual's themes: the theme's own colors, moved toward white
# or black only as far as a contrast ratio of 4.5:1 requires; tests check the ratio. The row under the cursor has a tint
# instead of a solid color, because names, keys and details are drawn on it in three colors.
INKS: Mapping[str, Mapping[str, str]] = {
    "nord": {
        "block-cursor-background": "#4a5969",
        "block-cursor-blurred-background": "#474e5e",
        "primary": "#b2d6e0",
        "secondary": "#c2d1e1",
        "accent": "#cfb6ca",
        "text-error": "#e0b3b7",
    },
    "gruvbox": {
        "block-cursor-background": "#50504d",
        "block-cursor-blurred-background": "#4b4641",
        "primary": "#b5c9c1",
        "secondary": "#ccc4b8",
        "text-warning": "#feb579",
        "text-error": "#fca59b",
    },
    "dracula": {
        "block-cursor-background": "#45405d",
        "block-cursor-blurred-background": "#3b3e49",
        "primary": "#c6a2f9",
        "secondary": "#aab2cd",
    },
    "tokyo-night": {
        "block-cursor-background": "#41405d",
        "block-cursor-blurred-background": "#2e3247",
        "foreground": "#b3bada",
        "primary": "#c8aef8",
        "secondary": "#9fbcf9",
        "accent": "#fea570",
    },
    "monokai": {
        "block-cursor-background": "#474053",
        "block-cursor-blurred-background": "#3b3b3b",
        "primary": "#c3a1ff",
        "secondary": "#fb92b8",
        "text-error": "#fb83ae",
    },
    "catppuccin-latte": {
        "block-cursor-background": "#d1c7e7",
        "block-cursor-blurred-background": "#d9dce4",
        "primary": "#6c2dbf",
        "secondary": "#764a40",
        "accent": "#923a06",
        "text-warning": "#754a0f",
        "text-success": "#28641a",
    },
    "solarized-light": {
        "block-cursor-background": "#c8d1cb",
        "block-cursor-blurred-background": "#e2decd",
        "foreground": "#485a5f",
        "primary": "#195b8a",
        "secondary": "#19605b",
        "accent": "#5a5ea4",
    },
    "rose-pine-dawn": {
        "block-cursor-background": "#e5dedf",
        "block-cursor-blurred-background": "#f1ece9",
        "primary": "#6a5a7d",
        "accent": "#915855",
        "text-warning": "#84581d",
    },
    # Colors from the terminal's own palette; contrast was measured with xterm's palette. None of xterm's greens is
    # legible on white.
    "ansi-dark": {
        "block-cursor-background": "ansi_blue",
        "block-cursor-foreground": "ansi_bright_white",
        "border-blurred": "ansi_bright_black",
        "primary": "ansi_bright_cyan",
        "secondary": "ansi_white",
        "warning": "ansi_bright_yellow",
        "error": "ansi_bright_red",
        "success": "ansi_bright_green",
        "accent": "ansi_bright_cyan",
    },
    "ansi-light": {
        "block-cursor-background": "ansi_cyan",
        "block-cursor-foreground": "ansi_black",
        "border-blurred": "ansi_bright_black",
        "primary": "ansi_blue",
        "secondary": "ansi_black",
        "warning": "ansi_red",
        "error": "ansi_red",
        "success": "ansi_blue",
        "accent": "ansi_blue",
    },
}
_FIELDS = ("primary", "secondary", "accent", "foreground", "warning", "error", "success")


def use_themes(app: App[Any], wanted: str) -> None:
    """Offer only these themes and use the requested theme; Textual's environment variable overrides this."""
    for theme in OWN:
        app.register_theme(theme)
    for name in OFFERED[len(OWN) :]:
        app.register_theme(with_legible_colors(BUILTIN_THEMES[name]))
    if "TEXTUAL_THEME" not in os.environ:
        use_theme(app, wanted)
    for name in set(app.available_themes) - {*OFFERED, app.theme}:
        app.unregister_theme(name)


def use_theme(app: App[Any], wanted: str) -> None:
    """Use the theme with this name; for "auto" or an unknown name, choose based on the terminal's background."""
    if wanted not in app.available_themes:
        wanted = LIGHT.name if is_light_ground(os.environ) else DARK.name
    app.theme = wanted


def is_light_ground(environ: Mapping[str, str]) -> bool:
    """Return whether COLORFGBG says that the terminal's background is light.

    The terminal is not queried (OSC 11), because the first frame would wait for a reply that many terminals never send.
    """
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return False  # COLORFGBG describes the terminal in which the server was started
    return environ.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_GROUNDS


def with_legible_colors(theme: Theme) -> Theme:
    """Return the theme with legible colors."""
    inks = dict(INKS[theme.name])
    changed: dict[str, Any] = {name: inks.pop(name) for name in _FIELDS if name in inks}
    theme = replace(theme, **changed)
    ours = {
        "block-cursor-foreground": theme.foreground or "",
        "block-cursor-text-style": "none",
        "footer-key-foreground": theme.primary,
        "footer-description-foreground": theme.foreground or "",
    }
    return replace(theme, variables={**theme.variables, **ours, **inks})
