"""The settings and the folders: a flag overrides the environment, that the config file, and that the default.

An unknown key is an error. Writing one setting leaves every other line of the config file, comments too, as it was.

ConfigError                 a setting cannot be used; the message names where it stands
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from interviewer.errors import BadInput, journal

EXAMINERS = ("auto", "offline", "llm")
SANDBOXES = ("docker", "process")
DEVICES = ("cpu", "cuda")
PERSONAS = ("friendly", "neutral", "skeptical")
STYLES = ("plain", "research_lab", "startup_infra", "quant")
STRICTNESS = ("lenient", "standard", "strict")
MINUTES_MIN, MINUTES_MAX = 1, 600
ON_OR_OFF = ("on", "off")
ABOUT = {
    "model": "LiteLLM name of the language model. Empty: a default model if a provider's key is set, otherwise none.",
    "examiner": "Who judges answers. auto: the language model if there is one.",
    "sandbox": "Where submissions run.",
    "image": "Docker image of the sandbox. Empty: the image for this version.",
    "minutes": "Default length of a mock interview.",
    "persona": "How the interviewer talks.",
    "style": "The kind of company the interview imitates.",
    "strictness": "How much lead-in you get. Does not affect judging.",
    "spend_cap_usd": "Maximum cost of the language model per session, in US dollars; 0: no cap.",
    "token_cap": "Maximum tokens per session for a model with no known price; 0: no cap.",
    "month_cap_usd": "Maximum total cost per month, all sessions and commands together, in US dollars; 0: no cap.",
    "theme": "Colors. auto: dark or light, like your terminal; ansi: your terminal's own palette.",
    "bell": "Whether a challenge rings the bell when 10, 5 and 1 minutes are left.",
    "animations": "Whether scrolling and dialogs are animated; off helps on slow connections, too.",
    "keys": "Your own key bindings: binding=key, separated by spaces. Example: challenge.hint=f6.",
}
_CHOICES = {
    "examiner": EXAMINERS,
    "sandbox": SANDBOXES,
    "persona": PERSONAS,
    "style": STYLES,
    "strictness": STRICTNESS,
}
_ENVIRONMENT = {"INTERVIEWER_MODEL": "model", "INTERVIEWER_SANDBOX": "sandbox", "INTERVIEWER_IMAGE": "image"}
_CAPS = ("spend_cap_usd", "token_cap", "month_cap_usd")


class ConfigError(BadInput):
    """Say which setting cannot be used, and where it stands."""

    kind = "config"

    def __init__(
        self, message: str, fix: str = "Choose a different value; docs/commands.md lists the allowed values."
    ) -> None:
        super().__init__(message, fix)


@dataclass(frozen=True)
class Folders:
    """Hold where the app keeps its config, its data (the practice log), its cache, and the user's own content.

    `own` holds the user's questions and tasks; None is the data folder.
    """

    config: Path
    data: Path
    cache: Path
    own: Path | None = None

    @property
    def config_file(self) -> Path:
        """Return the path of the config file, whether it is there or not."""
        return self.config / "config.toml"

    @property
    def log_file(self) -> Path:
        """Return the path of the practice log."""
        return self.data / "log.db"

    @property
    def errors_file(self) -> Path:
        """Return the path of the error journal."""
        return self.data / "errors.jsonl"

    @property
    def calibrations_file(self) -> Path:
        """Return the path of the user's own calibrations."""
        return self.data / "calibrations.json"

    @property
    def questions(self) -> Path:
        """Return the folder of the user's own questions, <area>/<slug>.toml, whether it is there or not."""
        return (self.own or self.data) / "questions"

    @property
    def tasks(self) -> Path:
        """Return the folder of the user's own tasks, <area>/<slug>/, whether it is there or not."""
        return (self.own or self.data) / "tasks"


@dataclass(frozen=True)
class Settings:
    """Hold every setting. `model` "" means none chosen, `image` "" the default image.

    `spend_cap_usd` is the most that a session's language model may cost, `token_cap` the most tokens of one whose price
    is not known; 0 is no cap. `month_cap_usd` is the most that all sessions and commands may cost in a month.
    """

    model: str = ""
    examiner: str = "auto"
    sandbox: str = "docker"
    image: str = ""
    minutes: float = 45.0
    persona: str = "neutral"
    style: str = "plain"
    strictness: str = "standard"
    spend_cap_usd: float = 2.0
    token_cap: int = 1_000_000
    month_cap_usd: float = 20.0
    theme: str = "auto"
    bell: bool = True
    animations: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)


def find_folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders: below INTERVIEWER_HOME when it is set, else where the system keeps such things."""
    home = environ.get("INTERVIEWER_HOME")
    if home:
        root = Path(home).expanduser().resolve()
        return Folders(config=root / "config", data=root / "data", cache=root / "cache", own=root)
    import platformdirs  # 20 ms of start-up, and INTERVIEWER_HOME makes it unnecessary

    dirs = platformdirs.PlatformDirs("interviewer", appauthor=False)
    return Folders(config=dirs.user_config_path, data=dirs.user_data_path, cache=dirs.user_cache_path)


# Here, because the journal's own module knows no folders, and every way in needs this one.
journal.use(lambda: find_folders().errors_file)


def load_settings(folders: Folders, environ: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
    """Return the settings; flags that are None were not given. Raises: ConfigError."""
    settings = Settings()
    if folders.config_file.exists():
        settings = _merged(settings, _read(folders.config_file), str(folders.config_file))
    for variable, key in _ENVIRONMENT.items():
        if environ.get(variable):
            settings = _merged(settings, {key: environ[variable]}, variable)
    return _merged(settings, {key: value for key, value in flags.items() if value is not None}, "command line")


def settings_or_defaults(folders: Folders, environ: Mapping[str, str]) -> tuple[Settings, ConfigError | None]:
    """Return the settings; if they cannot be used, the defaults and the reason, for what must run even then."""
    try:
        return load_settings(folders, environ, {}), None
    except ConfigError as error:
        return Settings(), error


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # 15 ms of start-up, and many have no config file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fix = "Fix that line, or move the file away to go back to the defaults."
        raise ConfigError(f"{path}: {error}", fix) from None


def choices(key: str) -> tuple[str, ...]:
    """Return the values that a setting can have; empty when it is free."""
    return _CHOICES.get(key, ())


def env_overrides(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that the environment overrides, each with the variable that does."""
    return {key: variable for variable, key in _ENVIRONMENT.items() if environ.get(variable)}


def check_values(values: Mapping[str, Any], where: str) -> None:
    """Return when these values can be settings. Raises: ConfigError."""
    _merged(Settings(), values, where)


def _merged(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    known = {setting.name: type(getattr(Settings(), setting.name)) for setting in fields(Settings)}
    for key, value in values.items():
        if key not in known:
            near = _near(key, known)
            meant = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            raise ConfigError(f"{where}: unknown key {key}; {meant}")
        accepted = (int, float) if known[key] is float else known[key]
        # A truth value is an int to Python, and no number to anybody else.
        if not isinstance(value, accepted) or isinstance(value, bool) is not (known[key] is bool):
            raise ConfigError(f"{where}: {key}: expected {known[key].__name__}, got {type(value).__name__}")
        if isinstance(value, dict) and not all(isinstance(keys, str) for keys in value.values()):
            raise ConfigError(f'{where}: keys: expected each key as text, for example "challenge.hint" = "f8"')
        allowed = choices(key)
        if allowed and value not in allowed:
            near = _near(str(value), allowed)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ConfigError(f"{where}: {key}: expected one of {', '.join(allowed)}, got {value!r}{meant}")
        if key == "minutes" and not MINUTES_MIN <= value <= MINUTES_MAX:
            raise ConfigError(f"{where}: minutes: expected {MINUTES_MIN} to {MINUTES_MAX}, got {value:g}")
        if key in _CAPS and not 0 <= value < math.inf:
            raise ConfigError(f"{where}: {key}: expected 0 (no cap) or more, got {value}")
    return replace(settings, **values)


def _near(word: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(word, list(known), n=1)


def format_value(value: Any) -> str:
    """Return a setting's value as it is written down."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={keys}" for name, keys in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def parse_value(key: str, text: str) -> Any:
    """Return the value that a text gives a setting. Raises: ConfigError; whether it is allowed is checked later."""
    kind = type(getattr(Settings(), key))
    if kind is bool:
        if text not in ON_OR_OFF:
            raise ConfigError(f"{key}: expected on or off, got {text!r}")
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
                raise ConfigError(
                    f"{key}: expected binding=key, got {name!r}; docs/keys.md lists the names of the bindings"
                )
        return {name: keys for name, _, keys in pairs}
    return text


def save_setting(folders: Folders, key: str, value: str | float | bool | Mapping[str, str]) -> Path:
    """Write one setting and return the file's path; comments stay. Raises: ConfigError; the file is then unchanged."""
    import tomllib

    import tomlkit  # 30 ms, and most runs change nothing
    from tomlkit.exceptions import TOMLKitError

    path = folders.config_file
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
        if isinstance(value, Mapping):
            if value or key in document:
                table = document.setdefault(key, tomlkit.table())
                for name in list(table):
                    del table[name]
                table.update(value)
        else:
            document[key] = value
        changed = tomlkit.dumps(document)
        written = tomllib.loads(changed)
        check_values(written, str(path))
        if written.get(key, {}) != value:
            raise ConfigError(f"{path}: {key} is in a place that cannot be edited automatically; edit the file by hand")
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Beside it and then moved over it: a full disk must not leave half a config file. A link to one stays a link.
        real = path.resolve()
        beside = real.with_suffix(".new")
        beside.write_text(changed, encoding="utf-8")
        os.replace(beside, real)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TOMLKitError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return path
