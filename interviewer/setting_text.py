"""The settings as people read and write them: what each is for, its value as text, and the value that a text means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interviewer.config import ConfigError, Settings

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
    "month_cap_usd": "The most that all sessions and commands together may cost in a month, in US dollars; 0: no cap.",
    "theme": "The colours; auto is dark or light as your terminal says, ansi takes its own palette.",
    "bell": "Whether a challenge rings at 10, 5 and 1 minutes.",
    "animations": "Whether scrolling and dialogs move; off also helps over a slow line.",
    "keys": "Your own keys: binding=key, separated by spaces, as in challenge.hint=f6.",
}
ON_OR_OFF = ("on", "off")


def shown(value: Any) -> str:
    """Return a setting's value as it is written down."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={keys}" for name, keys in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def parsed(key: str, text: str) -> Any:
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
                raise ConfigError(f"{key}: expected binding=key, got {name!r}; F1 on a screen names the bindings")
        return {name: keys for name, _, keys in pairs}
    return text
