"""Shared checks for text that a model writes in its own words: secrets, score words, code identifiers, JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from interviewer.examiner.voice import NUMBER, gives_grade, talks_about_score
from interviewer.sanitize import masker, printable

_REPLY_CHARS_MAX = 60_000
_ADDRESS = re.compile(r"://|\bwww\.|\]\(", re.IGNORECASE)
# Matches text that a reader would take for code: a span in backticks, a dotted name, a name with an underscore, or a
# call.
_CODE_NAME = re.compile(r"`([^`]+)`|\b([A-Za-z_]{2,}\w*(?:\.[A-Za-z_]{2,}\w*)+)|\b(\w*[A-Za-z]_\w+)|\b([A-Za-z_]\w*)\(")


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a reply; reasoning and code fences around them are ignored."""
    text = text[:_REPLY_CHARS_MAX]
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, stop = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            stop = at + 1
        else:
            yield value
        at = text.find("{", stop)


def gives_score(text: str) -> bool:
    """Return whether the text says how good an answer was, or mentions a score."""
    return gives_grade(text) or talks_about_score(text)


def numbers_in(text: str) -> set[str]:
    """Return the numbers in a text as written, but without thousands separators; digits inside names are ignored."""
    return {number.replace(",", "") for number in NUMBER.findall(text)}


def is_showable(text: str) -> bool:
    """Return whether the text contains no secret, no link and no control characters."""
    return masker(os.environ)(text) == text and printable(text) == text and not _ADDRESS.search(text)


def code_names(text: str) -> set[str]:
    """Return the names in a sentence that look like code."""
    return {next(filter(None, match.groups())) for match in _CODE_NAME.finditer(text)}
