"""Load settings and locate folders.

A flag overrides an environment variable, which overrides the config file, which overrides the default. An unknown key
in the config file is an error. Writing a setting leaves all other lines of the config file unchanged, including
comments.

ConfigError                 a setting cannot be used; the message says where it was set
"""

from __future__ import annotations

import difflib
import math
import os
import re
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
# These are the names that session/plan.py uses, plus "any" and "auto" for no preference. A test compares these names
# with the ones in plan.py.
ROLES = ("any", "algorithm", "infrastructure", "full_stack")
LEVELS = ("any", "new_grad", "senior", "staff")
CODING = ("auto", "none", "third", "half", "most")
STRICTNESS = ("lenient", "standard", "strict")
MINUTES_MIN, MINUTES_MAX = 1, 600
PATIENCE_MIN, PATIENCE_MAX = 5, 600
_RANGES = {"minutes": (MINUTES_MIN, MINUTES_MAX), "patience_seconds": (PATIENCE_MIN, PATIENCE_MAX)}
# The names of setting types in error messages.
_TYPES = {str: "text", bool: "true or false", int: "a whole number", float: "a number", dict: "a table"}
SHOWN_MAX = 40
ON_OR_OFF = ("on", "off")
ABOUT = {
    "model": "LiteLLM name of the language model. Empty: a default model if a provider's key is set, otherwise none.",
    "examiner": "Who judges answers. auto: the language model if there is one.",
    "sandbox": "Where submissions run.",
    "image": "Docker image for the sandbox. Empty: the image for this version of interviewer.",
    "minutes": "Default length of a mock interview.",
    "role": "Which role's questions come up more often in a mock interview. any: a mix of all roles.",
    "level": "Seniority level of a mock interview: sets the difficulty and whether rarely asked questions can come up.",
    "coding": "Share of coding tasks in a mock interview. "
    "auto: no coding task if under 25 minutes, one if under 60, otherwise two.",
    "persona": "How the interviewer talks.",
    "style": "The kind of company the interview simulates.",
    "strictness": "How strictly the interviewer keeps to its question, without a lead-in. Does not affect judging.",
    "spend_cap_usd": "Maximum cost of the language model per session, in US dollars; 0: no cap.",
    "token_cap": "Maximum tokens per session for a model with no known price; 0: no cap.",
    "month_cap_usd": "Maximum total cost per month for all sessions and commands, in US dollars; 0: no cap.",
    "patience_seconds": "Maximum wait for the language model's first token. A slower reply is treated as a failure.",
    "theme": "Colors. auto: dark or light, like your terminal; ansi: your terminal's own palette.",
    "bell": "Whether a challenge rings the bell when 10, 5 and 1 minutes are left.",
    "animations": "Whether scrolling and dialogs are animated; turning this off also helps on slow connections.",
    "keep_grader": "Whether the grader stays ready for 10 minutes after the app or the watch command exits; "
    "uses about 500 MiB.",
    "keys": "Your own key bindings: binding=key, separated by spaces. Example: challenge.hint=f10.",
}
_CHOICES = {
    "examiner": EXAMINERS,
    "role": ROLES,
    "level": LEVELS,
    "coding": CODING,
    "sandbox": SANDBOXES,
    "persona": PERSONAS,
    "style": STYLES,
    "strictness": STRICTNESS,
}
_ENVIRONMENT = {
    "INTERVIEWER_MODEL": "model",
    "INTERVIEWER_SANDBOX": "sandbox",
    "INTERVIEWER_IMAGE": "image",
    "INTERVIEWER_KEEP_GRADER": "keep_grader",
}
_CAPS = ("spend_cap_usd", "token_cap", "month_cap_usd")
_FIX_LINE = "Fix that line, or move the file away to use the defaults."
_FIX_UNREADABLE = "Make that file readable, or move it away to use the defaults."
_FIX_UNWRITABLE = "Free up disk space, make that file and its folder writable, or set INTERVIEWER_HOME to a new folder."
_TOML_LINE = re.compile(r"\(at line (\d+), ")


class ConfigError(BadInput):
    """A setting cannot be used; the message says where it was set.

    `key` is the name of the setting or key binding. `line` is the line number in the config file, or 0 if there is
    none.
    """

    kind = "config"

    def __init__(
        self,
        message: str,
        fix: str = "Choose a different value; docs/commands.md lists the allowed values.",
        key: str = "",
        line: int = 0,
    ) -> None:
        super().__init__(message, fix)
        self.key = key
        self.line = line


@dataclass(frozen=True)
class Folders:
    """The folders for the config, the data (the practice log), the cache, and the user's own content.

    `own` is the folder with the user's own questions and tasks; None means the data folder.
    """

    config: Path
    data: Path
    cache: Path
    own: Path | None = None

    @property
    def config_file(self) -> Path:
        """Return the path of the config file, which may not exist."""
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
        """Return the path of the file with the user's own calibrations."""
        return self.data / "calibrations.json"

    @property
    def questions(self) -> Path:
        """Return the folder of the user's own questions (<area>/<slug>.toml), which may not exist."""
        return (self.own or self.data) / "questions"

    @property
    def tasks(self) -> Path:
        """Return the folder of the user's own tasks (<area>/<slug>/), which may not exist."""
        return (self.own or self.data) / "tasks"


@dataclass(frozen=True)
class Settings:
    """All settings. An empty `model` means that no model is chosen, and an empty `image` means the default image.

    `spend_cap_usd` limits the cost of a session's language model. `token_cap` limits the tokens of a session if the
    model's price is unknown. `month_cap_usd` limits the cost of all sessions and commands in a month. A cap of 0 means
    no cap.
    """

    model: str = ""
    examiner: str = "auto"
    sandbox: str = "docker"
    image: str = ""
    minutes: float = 45.0
    role: str = "any"
    level: str = "any"
    coding: str = "auto"
    persona: str = "neutral"
    style: str = "plain"
    strictness: str = "standard"
    spend_cap_usd: float = 2.0
    token_cap: int = 1_000_000
    month_cap_usd: float = 20.0
    patience_seconds: float = 120.0
    theme: str = "auto"
    bell: bool = True
    animations: bool = True
    keep_grader: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)


def find_folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders: in INTERVIEWER_HOME if it is set, otherwise in the system's default locations."""
    home = environ.get("INTERVIEWER_HOME")
    if home:
        root = Path(home).expanduser().resolve()
        return Folders(config=root / "config", data=root / "data", cache=root / "cache", own=root)
    import platformdirs  # this import takes 20 ms, and is not needed if INTERVIEWER_HOME is set

    dirs = platformdirs.PlatformDirs("interviewer", appauthor=False)
    return Folders(config=dirs.user_config_path, data=dirs.user_data_path, cache=dirs.user_cache_path)


# This module imports errors.py, so errors.py cannot use find_folders, and the path of the error journal is set here.
# Every entry point imports this module.
journal.use(lambda: find_folders().errors_file)


def load_settings(folders: Folders, environ: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
    """Return the settings. A flag that was not given has the value None. Raises ConfigError if a setting is invalid."""
    settings = Settings()
    if folders.config_file.exists():
        settings = _read(folders.config_file)
    for variable, key in _ENVIRONMENT.items():
        if environ.get(variable):
            settings = _merged(settings, {key: parse_value(key, environ[variable])}, variable)
    return _merged(settings, {key: value for key, value in flags.items() if value is not None}, "command line")


def settings_or_defaults(folders: Folders, environ: Mapping[str, str]) -> tuple[Settings, ConfigError | None]:
    """Return the settings, or the defaults and the error, for commands that must run even if the config is invalid."""
    try:
        return load_settings(folders, environ, {}), None
    except ConfigError as error:
        return Settings(), error


def _read(path: Path) -> Settings:
    import tomllib  # this import takes 15 ms, and many users have no config file

    try:
        text = path.read_text(encoding="utf-8")
        return _merged_file(tomllib.loads(text), path, text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError | ValueError) -> ConfigError:
    """Return the error for a config file that cannot be read or parsed, with the line number if there is one."""
    if isinstance(error, OSError):
        return ConfigError(f"{path}: {error.strerror or error}", _FIX_UNREADABLE)
    at = _TOML_LINE.search(str(error))
    line = int(at[1]) if at else 0
    if isinstance(error, UnicodeDecodeError):
        line = error.object.count(b"\n", 0, error.start) + 1
    elif not line:  # the error is at the end of the file
        line = max(1, len(path.read_bytes().splitlines()))
    where = f"{path}:{line}" if line and not at else str(path)  # the parser's own message may name the line
    return ConfigError(f"{where}: {error}", _FIX_LINE, line=line)


def _merged_file(values: Mapping[str, Any], path: Path, text: str) -> Settings:
    """Return the settings in a config file. Raises ConfigError, with the line number, if a setting is invalid."""
    try:
        return _merged(Settings(), values, str(path))
    except ConfigError as error:
        line = line_of_setting(text, error.key)
        where = f"{path}:{line}" if line else str(path)
        raise ConfigError(error.message.replace(str(path), where, 1), error.fix, error.key, line) from None


def line_of_setting(text: str, key: str) -> int:
    """Return the line number (from 1) at which a config file sets this setting or key binding; 0 if it does not."""
    sets = re.compile(
        rf"""^(?!\s*\#).*?(?:(?<![\w.-])|keys\.)["']?{re.escape(key)}["']?\s*=|^\s*\[{re.escape(key)}\]"""
    )
    return next((number for number, line in enumerate(text.splitlines(), 1) if sets.search(line)), 0)


def choices(key: str) -> tuple[str, ...]:
    """Return the allowed values of a setting; empty if any value is allowed."""
    return _CHOICES.get(key, ())


def env_overrides(environ: Mapping[str, str]) -> dict[str, str]:
    """Map each setting that the environment overrides to the variable's name."""
    return {key: variable for variable, key in _ENVIRONMENT.items() if environ.get(variable)}


def check_values(values: Mapping[str, Any], where: str) -> None:
    """Check that these values are valid settings. Raises ConfigError if a setting is invalid."""
    _merged(Settings(), values, where)


def _merged(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    known = {setting.name: type(getattr(Settings(), setting.name)) for setting in fields(Settings)}
    for key, value in values.items():
        if key not in known:
            near = _near(key, known)
            meant = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            fix = "Correct or remove this key; docs/commands.md lists all settings."
            raise ConfigError(f"{where}: unknown key {key}; {meant}", fix, key=key)
        accepted = (int, float) if known[key] is float else known[key]
        # In Python, a bool is an int, but True is not a valid number here.
        if not isinstance(value, accepted) or isinstance(value, bool) is not (known[key] is bool):
            raise ConfigError(f"{where}: {key}: expected {_TYPES[known[key]]}, got {_shown(value)}", key=key)
        if isinstance(value, dict) and (wrong := [name for name, keys in value.items() if not isinstance(keys, str)]):
            said = 'keys: expected each key as text, for example "challenge.hint" = "f8"'
            raise ConfigError(f"{where}: {said}, got {_shown(value[wrong[0]])}", key=wrong[0])
        allowed = choices(key)
        if allowed and value not in allowed:
            near = _near(str(value), allowed)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ConfigError(f"{where}: {key}: expected one of {', '.join(allowed)}, got {value!r}{meant}", key=key)
        if key in _RANGES and not _RANGES[key][0] <= value <= _RANGES[key][1]:
            low, high = _RANGES[key]
            raise ConfigError(f"{where}: {key}: expected {low} to {high}, got {value:g}", key=key)
        if key in _CAPS and not 0 <= value < math.inf:
            raise ConfigError(f"{where}: {key}: expected 0 (no cap) or more, got {value}", key=key)
    return replace(settings, **values)


def _shown(value: Any) -> str:
    """Return a value as written in the config file, truncated if it is long."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]} …"


def _near(word: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(word, list(known), n=1)


def format_value(value: Any) -> str:
    """Format a setting's value as text."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={keys}" for name, keys in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def parse_value(key: str, text: str) -> Any:
    """Convert a setting's text to its type.

    Raises ConfigError if the text is not a value of that type. Whether the value is allowed is checked later.
    """
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


def check_model(name: str) -> None:
    """Raise ConfigError if this cannot be a LiteLLM model name; neither the provider nor the model has to be known."""
    provider, _, model = name.partition("/")
    # For "scripted", the model name is a path, which may contain spaces.
    has_space = len(name.split()) != 1 and provider != "scripted"
    if not provider or not model.strip() or has_space:
        said = f"model: expected PROVIDER/MODEL without spaces, for example openai/gpt-5.4-mini, got {name!r}"
        raise ConfigError(said, "Model setup (press y on the home screen) lists models that you can use.", "model")


def save_setting(folders: Folders, key: str, value: str | float | bool | Mapping[str, str]) -> Path:
    """Write a setting to the config file and return the file's path.

    Comments in the file are kept. Raises ConfigError if the setting cannot be written; the file is then unchanged.
    """
    import tomllib

    import tomlkit  # this import takes 30 ms, and most runs do not change a setting
    from tomlkit.exceptions import TOMLKitError

    path = folders.config_file
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        document = tomlkit.parse(text)
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
        _merged_file(written, path, text)
        if written.get(key, {}) != value:
            raise ConfigError(f"{path}: {key} is in a place that cannot be edited automatically; edit the file by hand")
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Write a new file and move it over the old one, so a full disk cannot leave a truncated config file. Resolve
        # the path first, so that a symbolic link is kept.
        real = path.resolve()
        beside = real.with_suffix(".new")
        beside.write_text(changed, encoding="utf-8")
        os.replace(beside, real)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}", _FIX_UNWRITABLE) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(path, error) from None
    except TOMLKitError as error:
        raise ConfigError(f"{path}: {error}", _FIX_LINE) from None
    return path
