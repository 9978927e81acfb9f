"""Writes one setting into the config file and leaves every other line, comments too, as it was.

ConfigError                 the file cannot be read, or would not say afterwards what was wanted
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from interviewer.config import ConfigError, Folders, check_values

_TABLE = re.compile(r"^\s*\[")


def save_setting(folders: Folders, key: str, value: str | float | bool | Mapping[str, str]) -> Path:
    """Write one setting and return the file's path. Raises: ConfigError; the file is then unchanged."""
    path = folders.config_file
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        changed = _with_table(text, key, value) if isinstance(value, Mapping) else _with_line(text, key, value)
        written = tomllib.loads(changed)
        check_values(written, str(path))
        if written.get(key, {}) != value:
            raise ConfigError(f"{path}: {key} stands where it cannot be changed; edit the file by hand")
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Beside it and then moved over it: a full disk must not leave half a config file. A link to one stays a link.
        real = path.resolve()
        beside = real.with_suffix(".new")
        beside.write_text(changed, encoding="utf-8")
        os.replace(beside, real)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return path


def _with_line(text: str, key: str, value: str | float | bool) -> str:
    lines = text.splitlines()
    # A table's keys come after its heading, so that a new key must stand before the first one.
    end = next((place for place, line in enumerate(lines) if _TABLE.match(line)), len(lines))
    line = f"{key} = {_toml(value)}"
    for place in range(end):
        if found := re.match(rf"\s*{key}\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s#]+)(.*)$", lines[place]):
            lines[place] = line + found[2]
            break
    else:
        lines.insert(end, line)
    return "\n".join(lines) + "\n"


def _with_table(text: str, key: str, values: Mapping[str, str]) -> str:
    lines = text.splitlines()
    start = next((place for place, line in enumerate(lines) if line.split("#")[0].strip() == f"[{key}]"), None)
    if start is not None:
        end = next((p for p in range(start + 1, len(lines)) if _TABLE.match(lines[p])), len(lines))
        kept = [line for line in lines[start + 1 : end] if line.lstrip().startswith("#")]
        lines[start:end] = [lines[start], *kept]
    elif values:
        start = len(lines)
        lines.append(f"[{key}]")
    if start is not None:
        lines[start + 1 : start + 1] = [f"{_toml(name)} = {_toml(one)}" for name, one in values.items()]
    return "\n".join(lines) + "\n"


def _toml(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # JSON's text is TOML's basic string, escapes included.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
