"""Changes one setting, on the settings screen and on the command line alike: read, checked, written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interviewer.config import ConfigError, Folders, check_values, parsed, save_setting
from interviewer.tui.bindings import complaints
from interviewer.tui.themes import THEMES


def change_setting(folders: Folders, key: str, text: str) -> tuple[Any, Path]:
    """Write what a text gives a setting; return the value and the file. Raises: ConfigError, nothing changed."""
    value = parsed(key, text)
    check_values({key: value}, "settings")
    if key == "theme" and value not in THEMES:
        raise ConfigError(f"settings: theme: expected one of {', '.join(THEMES)}, got {value!r}")
    if key == "keys" and (said := complaints(value)):
        raise ConfigError("\n".join(f"settings: {one}" for one in said))
    return value, save_setting(folders, key, value)
