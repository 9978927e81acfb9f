"""Prints and changes settings without the app; what is written is checked as the app checks it."""

from __future__ import annotations

import os
import sys

from interviewer.config import ABOUT, check_values, find_folders, load_settings, overriding, shown
from interviewer.exits import OK, print_json


def show(key: str, as_json: bool) -> int:
    """Print every setting with its value and what it is for, or one; return the exit code. Raises: ConfigError."""
    settings, taken_over = load_settings(find_folders(), os.environ, {}), overriding(os.environ)
    for name in _known(key) if not as_json else ():
        value = shown(getattr(settings, name)) or "(empty)"
        note = f" ({taken_over[name]} overrides the file)" if name in taken_over else ""
        sys.stdout.write(f"{name:15}{value}{note}\n{'':15}{ABOUT[name]}\n")
    if as_json:
        print_json({"settings": {name: getattr(settings, name) for name in _known(key)}})
    return OK


def change(key: str, text: str, as_json: bool) -> int:
    """Write one setting into the config file and return the exit code. Raises: ConfigError."""
    from interviewer.tui.setting_change import change_setting  # brings textual, which showing has no use for

    _known(key)
    value, path = change_setting(find_folders(), key, text)
    variable = overriding(os.environ).get(key)
    note = f", but {variable} is set and goes before it" if variable else ""
    if as_json:
        print_json({"saved": {key: value}, "file": str(path), "overridden_by": variable})
    else:
        sys.stdout.write(f"{key} = {text} is written to {path}{note}.\n")
    return OK


def _known(key: str) -> tuple[str, ...]:
    """Return the settings that are meant: all without a key. Raises: ConfigError when there is no such setting."""
    if key and key not in ABOUT:
        check_values({key: ""}, "settings")  # names the nearest one
    return (key,) if key else tuple(ABOUT)
