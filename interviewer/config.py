"""What the user has set: flag over environment over config file over default; an unknown key is an error.

ConfigError                 a setting cannot be used; the message names where it stands
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

EXAMINERS = ("auto", "offline", "llm")
SANDBOXES = ("docker", "process")
_ENVIRONMENT = {"INTERVIEWER_MODEL": "model", "INTERVIEWER_SANDBOX": "sandbox", "INTERVIEWER_IMAGE": "image"}
_CHOICES = {"examiner": EXAMINERS, "sandbox": SANDBOXES}


class ConfigError(ValueError):
    """Say which setting cannot be used, and where it stands."""


@dataclass(frozen=True)
class Folders:
    """Hold where the app keeps its config, its data (the practice log) and its cache."""

    config: Path
    data: Path
    cache: Path

    @property
    def config_file(self) -> Path:
        """Return the path of the config file, whether it is there or not."""
        return self.config / "config.toml"

    @property
    def log_file(self) -> Path:
        """Return the path of the practice log."""
        return self.data / "log.db"


@dataclass(frozen=True)
class Settings:
    """Hold every setting. `model` "" means none chosen, `image` "" the default image."""

    model: str = ""
    examiner: str = "auto"
    sandbox: str = "docker"
    image: str = ""
    minutes: float = 45.0
    persona: str = "neutral"


def find_folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders: below INTERVIEWER_HOME when it is set, else where the system keeps such things."""
    home = environ.get("INTERVIEWER_HOME")
    if home:
        root = Path(home).expanduser().resolve()
        return Folders(config=root / "config", data=root / "data", cache=root / "cache")
    import platformdirs

    dirs = platformdirs.PlatformDirs("interviewer", appauthor=False)
    return Folders(config=dirs.user_config_path, data=dirs.user_data_path, cache=dirs.user_cache_path)


def load_settings(folders: Folders, environ: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
    """Return the settings; flags that are None were not given. Raises: ConfigError."""
    settings = Settings()
    if folders.config_file.exists():
        settings = _merged(settings, _read(folders.config_file), str(folders.config_file))
    for variable, key in _ENVIRONMENT.items():
        if environ.get(variable):
            settings = _merged(settings, {key: environ[variable]}, variable)
    return _merged(settings, {key: value for key, value in flags.items() if value is not None}, "command line")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def _merged(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    known = {field.name: type(field.default) for field in fields(Settings)}
    for key, value in values.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            raise ConfigError(f"{where}: unknown key {key}; known: {near[0] if near else ', '.join(known)}")
        if isinstance(value, bool) or not isinstance(value, (int, float) if known[key] is float else known[key]):
            raise ConfigError(f"{where}: {key}: expected {known[key].__name__}, got {type(value).__name__}")
        if key in _CHOICES and value not in _CHOICES[key]:
            raise ConfigError(f"{where}: {key}: expected one of {', '.join(_CHOICES[key])}, got {value!r}")
    return replace(settings, **values)
