"""Make text safe to show and to store: remove unsafe characters and mask secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Mask = Callable[[str], str]
MASKED = "[masked]"
# Used for the app's messages, in which a secret is nearly always the user's API key. In the user's own text, a secret
# can look like anything.
MASKED_KEY = "[key]"
REPLACEMENT = "\ufffd"
SECRET_CHARACTERS_MIN = 6

# Characters that a terminal, a browser or a spreadsheet interprets instead of displaying: control characters except tab
# and line feed, and marks that reorder or hide text (bidirectional controls, zero-width space, tag characters).
# Surrogates and noncharacters are also removed, because no file should contain them. Joiners and variation selectors
# are kept, because some scripts and emoji need them.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)


def printable(text: str, replacement: str = "") -> str:
    """Return the text with \\n line endings and every unsafe character replaced or, by default, removed."""
    return _UNSAFE.sub(replacement, text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Return the text as a single line, without unsafe characters."""
    return " ".join(printable(text).split())


_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
# The asterisks match keys that a server has partially masked; Markdown uses at most three asterisks in a row.
_C = r"[A-Za-z0-9._~+/=*-]"
# Each lookahead is bounded, because "sk-sk-sk-…" would otherwise take quadratic time. A string looks generated if it
# contains a digit, a run of 16 letters, or at least 24 characters in mixed case; ordinary words do not.
_GENERATED = (
    rf"(?:(?={_C}{{0,60}}(?:\d|\*{{4}})){_C}{{8,}}|(?={_C}{{0,60}}[A-Za-z0-9]{{16}}){_C}{{16,}}"
    rf"|(?={_C}{{0,60}}[a-z][A-Z]){_C}{{24,}})"
)
# Used for key prefixes that can also start an ordinary name (rk-4, xai-benchmark-2024). This pattern requires a run of
# 8 characters that contains both letters and digits, or a run of 16 characters.
_OPAQUE = (
    rf"(?={_C}{{0,60}}(?<![A-Za-z0-9])(?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{{8}}|[A-Za-z0-9]{{16}})){_C}{{8,}}"
)
# Each pattern is listed with its hints: plain strings, at least one of which occurs in every match of the pattern. Most
# texts contain none of these hints, so the pattern can be skipped. Text that matches a pattern's group `kept` is not
# masked.
_SHAPES = (
    # In ordinary text, sk- is never followed by a single long word.
    (("sk-",), rf"(?<![A-Za-z0-9])sk-(?!learn)(?:{_GENERATED}|[A-Za-z]{{10,}}(?![A-Za-z-]))"),
    (("pk-", "rk-", "xai-"), rf"(?<![A-Za-z0-9])(?:pk|rk|xai)-{_OPAQUE}"),
    (("_live_", "_test_"), r"(?<![A-Za-z0-9])(?:sk|pk|rk)_(?:live|test)_\w{8,}"),
    (("AKIA", "ASIA"), r"(?<![A-Za-z0-9])A(?:K|S)IA[A-Z0-9]{12,}"),
    (
        ("uthorization", "UTHORIZATION"),
        rf"(?P<kept>(?i:authorization)[\"']?\s*[:=]\s*[\"']?)(?i:bearer|basic)\s+{_C}{{6,}}",
    ),
    (("earer", "EARER"), rf"(?i:bearer)\s+{_GENERATED}"),
    (("hf_",), rf"(?<![A-Za-z0-9])hf_{_GENERATED}"),
    (("gh", "github_pat_"), r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_)\w{8,}"),
    (("glpat-", "xox", "gsk_"), rf"(?<![A-Za-z0-9])(?:glpat-|xox[a-z]-|gsk_){_GENERATED}"),
    (("AIza",), r"(?<![A-Za-z0-9])AIza[\w-]{8,}"),
    (("://",), r"(?<=://)[^/\s:@]*:[^/\s]+(?=@)"),
    (("PRIVATE KEY",), r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
    (("key", "KEY", "Key"), r"(?i:api[_-]?key)[\"']?\s*[=:]\s*[\"'][^\"'\s]{8,}[\"']"),
)
_PATTERNS = tuple((hints, re.compile(shape)) for hints, shape in _SHAPES)


def masker(environ: Mapping[str, str], mark: str = MASKED) -> Mask:
    """Return a function that replaces every secret in a text with `mark`. The function is idempotent.

    A secret is a string that looks like an API key, or the value of an environment variable with a name such as
    API_KEY.
    """
    values = {value.strip() for name, value in environ.items() if _SECRET_NAME.search(name)}
    # Mask longer secrets first. Otherwise, if a secret contained a shorter secret, the rest of the longer one would
    # remain visible.
    secrets = sorted((value for value in values if len(value) >= SECRET_CHARACTERS_MIN), key=len, reverse=True)

    def replaced(match: re.Match[str]) -> str:
        return f"{match.groupdict().get('kept') or ''}{mark}"

    def mask(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, mark)
        for hints, pattern in _PATTERNS:
            if any(hint in text for hint in hints):
                text = pattern.sub(replaced, text)
        return text

    return mask


def masked(value: Any, mask: Mask) -> Any:
    """Return a JSON value with secrets masked in all strings; dictionary keys are the app's own names and are kept."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {key: masked(item, mask) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(item, mask) for item in value]
    return value


def masked_line(line: str, mask: Mask) -> str:
    """Return a line of JSON with secrets masked in all its strings.

    Raises json.JSONDecodeError if the line is not JSON.
    """
    # Mask the parsed strings, not the line: a key may be written with escapes, and a match could end inside an escape.
    data = json.loads(line)
    clean = masked(data, mask)
    return line if clean == data else json.dumps(clean)
