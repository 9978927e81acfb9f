"""Takes secrets out of everything that leaves the log: keys known from the environment, and what looks like a key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Mask = Callable[[str], str]
MASKED = "[masked]"
SECRET_CHARACTERS_MIN = 8
_SECRET_NAME = re.compile(r"(_API_KEY|_ACCESS_KEY|_TOKEN|_SECRET|_PASSWORD|_KEY)$", re.IGNORECASE)
# A part that looks chosen by a machine holds a digit or is long: words like sk-learn or hf_generate stay.
_RANDOM = r"(?:(?=[A-Za-z0-9._~+/=-]*\d)[A-Za-z0-9._~+/=-]{8,}|[A-Za-z0-9._~+/=-]{24,})"
_SHAPES = (
    (("sk-",), rf"(?<![A-Za-z0-9])sk-{_RANDOM}"),
    (("AKIA", "ASIA"), r"(?<![A-Za-z0-9])A(?:K|S)IA[A-Z0-9]{12,}"),
    (("earer", "EARER"), rf"(?i:bearer)\s+{_RANDOM}"),
    (("hf_",), rf"(?<![A-Za-z0-9])hf_{_RANDOM}"),
    (("gh", "github_pat_"), r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_)\w{8,}"),
    (("glpat-", "xox", "gsk_"), rf"(?<![A-Za-z0-9])(?:glpat-|xox[a-z]-|gsk_){_RANDOM}"),
    (("AIza",), r"(?<![A-Za-z0-9])AIza[\w-]{20,}"),
    (("PRIVATE KEY",), r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
    (("key", "KEY", "Key"), r"(?i:api[_-]?key)[\"']?\s*[=:]\s*[\"'][^\"'\s]{8,}[\"']"),
)
_PATTERNS = tuple((hints, re.compile(shape)) for hints, shape in _SHAPES)


def masker(environ: Mapping[str, str]) -> Mask:
    """Return a function that replaces every secret in a text; applied twice it changes nothing more."""
    known = {
        value
        for name, value in environ.items()
        if _SECRET_NAME.search(name) and len(value.strip()) >= SECRET_CHARACTERS_MIN
    }
    # Longest first: a key that contains another one must not leave its rest behind.
    secrets = sorted((value.strip() for value in known), key=len, reverse=True)

    def mask(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, MASKED)
        for hints, pattern in _PATTERNS:
            if any(hint in text for hint in hints):
                text = pattern.sub(MASKED, text)
        return text

    return mask


_KEY_NAME = re.compile(r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_|$)")
_KEY = re.compile(
    r"\b(?:sk|gsk|xai|pk|rk|hf)[-_][\w.*-]{4,}|\bAIza[\w-]{8,}|\b[Bb]earer\s+[\w.~+/=-]{6,}"
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"
)
_KEY_CHARS_MIN = 6


def without_keys(text: str, environ: Mapping[str, str]) -> str:
    """Return the text with every value of a key in the environment, and whatever looks like a key, taken out."""
    secrets = [value for name, value in environ.items() if _KEY_NAME.search(name.upper())]
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _KEY_CHARS_MIN:
            text = text.replace(secret, "[key]")
    return _KEY.sub("[key]", text)


def masked(value: Any, mask: Mask) -> Any:
    """Return a JSON value with every text in it masked; keys are names of ours and stay."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {key: masked(item, mask) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(item, mask) for item in value]
    return value


def masked_line(line: str, mask: Mask) -> str:
    """Return one line of JSON with every text in it masked. Raises: json.JSONDecodeError."""
    # Not on the line itself: there a key may be written in escapes, and a match could end in the middle of one.
    data = json.loads(line)
    clean = masked(data, mask)
    return line if clean == data else json.dumps(clean)
