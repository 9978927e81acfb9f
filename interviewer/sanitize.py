"""Text made safe to show and safe to keep: one character class for what must not be drawn, one redactor of secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Mask = Callable[[str], str]
MASKED = "[masked]"
# In messages of ours the secret is nearly always a key of the user's; in what the user wrote it may be anything.
MASKED_KEY = "[key]"
REPLACEMENT = "\ufffd"
SECRET_CHARACTERS_MIN = 6

# Everything that a terminal, a browser or a spreadsheet obeys instead of showing: control characters except tab and
# line feed, the marks that reorder or hide text (bidirectional controls, zero-width space, tag characters), and what
# no file should hold: surrogates and non-characters. Joiners and variation selectors stay: scripts and emoji need them.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)


def printable(text: str, replacement: str = "") -> str:
    """Return the text with line ends as \\n and every unsafe character replaced; by default it is dropped."""
    return _UNSAFE.sub(replacement, text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Return the text in one line, without unsafe characters."""
    return " ".join(printable(text).split())


_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
# The asterisks are those of a server that shows the ends of a key; Markdown has three in a row at most.
_C = r"[A-Za-z0-9._~+/=*-]"
# How far each looks ahead is bounded: "sk-sk-sk-…" would take quadratic time otherwise.
# A part that looks generated has a digit, a run of 16 letters, or mixed case over 24 characters: words do not.
_GENERATED = (
    rf"(?:(?={_C}{{0,60}}(?:\d|\*{{4}})){_C}{{8,}}|(?={_C}{{0,60}}[A-Za-z0-9]{{16}}){_C}{{16,}}"
    rf"|(?={_C}{{0,60}}[a-z][A-Z]){_C}{{24,}})"
)
# For prefixes that are words too (rk-4, xai-benchmark-2024): a run of 8 with letters and digits, or of 16.
_OPAQUE = (
    rf"(?={_C}{{0,60}}(?<![A-Za-z0-9])(?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{{8}}|[A-Za-z0-9]{{16}})){_C}{{8,}}"
)
# Each with a piece that every match contains, because most texts hold none of them. `kept` stays in front of the mask.
_SHAPES = (
    # Nothing else begins with sk- and a single long word.
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
    """Return a function that replaces every secret in a text by the mark; applied twice it changes nothing more.

    A secret is the value of a variable whose name says so, or what looks like a key.
    """
    values = {value.strip() for name, value in environ.items() if _SECRET_NAME.search(name)}
    # Longest first: a key that contains another one must not leave its rest behind.
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
