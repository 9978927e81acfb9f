"""The colours in which some of Textual's themes are not legible here, and those that are used in their place.

A theme is offered only where every ink reaches 4.5:1 on every ground it is written on (WCAG AA); the tests measure it.
The colours are the theme's own, moved towards white or black no further than that takes; the row under the cursor is a
tint instead of a full colour, since names, keys and details have three inks on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual.theme import Theme

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
    # Colours of the terminal's own palette; measured with that of xterm. No green of it is legible on white.
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


def mended(theme: Theme) -> Theme:
    """Return the theme with legible colours."""
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
