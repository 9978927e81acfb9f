"""Reads a TOML table strictly, key by key; an unused key is an error with its line number and the closest known key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from typing import Any

from tasks.errors import TaskError

Key = tuple[str | int, ...]
_HEAD = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_LONG_STRING = re.compile(r"'''|\"\"\"")
_PLACE = re.compile(r"task\.toml: \[*(\w+)\]*(?: (\d+))?(?:: (\w+))?: ")


def line_of(text: str, key: Key) -> int:
    """Return the line number, counting from 1, of a key such as ("point", 2, "says"); list items are counted from 0.

    For a missing key, return the line of its table; 0 if the table is also missing.
    """
    lines = _lines(text)
    return next((lines[key[:end]] for end in range(len(key), 0, -1) if key[:end] in lines), 0)


def _lines(text: str) -> dict[Key, int]:
    """Return the line number of every table and key."""
    line_numbers: dict[Key, int] = {}
    counts: dict[str, int] = {}
    table: Key = ()
    long_string = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not long_string:
            if head := _HEAD.match(line):
                table = tuple(head[2].split("."))
                if head[1] == "[[":
                    line_numbers.setdefault(table, number)
                    table = (*table, counts.get(head[2], 0))
                    counts[head[2]] = counts.get(head[2], 0) + 1
                line_numbers.setdefault(table, number)
            elif named := _KEY.match(line):
                line_numbers.setdefault((*table, named[1]), number)
        for quotes in _LONG_STRING.findall(line):
            long_string = "" if quotes == long_string else long_string or quotes
    return line_numbers


def with_line(message: str, text: str) -> str:
    """Add the key's line number to an error message about task.toml, if the key exists."""
    named = _PLACE.match(message)
    if not named:
        return message
    table, number, key = named.groups()
    place: Key = (table, *([int(number) - 1] if number else []), *([key] if key else []))
    line = line_of(text, place)
    return message.replace("task.toml:", f"task.toml:{line}:", 1) if line else message


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a clause that suggests the closest known word, or "" if no word is close."""
    near = difflib.get_close_matches(word, list(words), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


class Fields:
    """One TOML table and its location (`task.toml: mistake 2`), which is part of every error message."""

    def __init__(self, place: str, table: dict[str, Any]) -> None:
        self.place = place
        self._left = dict(table)
        self._asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def text(self, key: str, is_optional: bool = False) -> str:
        """Return the key's stripped string; "" if the key is optional and missing."""
        value = self._take(key, is_optional, "")
        if not isinstance(value, str) or not (value.strip() or is_optional):
            raise TaskError(f"{self.place}: {key}: expected a non-empty string, got {value!r}")
        return value.strip()

    def choice(self, key: str, words: Collection[str]) -> str:
        """Return the key's string, which must be one of `words`."""
        value = self.text(key)
        if value not in words:
            raise TaskError(
                f"{self.place}: {key}: expected one of {', '.join(words)}, got {value!r}{did_you_mean(value, words)}"
            )
        return value

    def number(self, key: str, low: float, high: float) -> float:
        """Return the key's number, which must be between `low` and `high`."""
        value = self._take(key, False, None)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise TaskError(f"{self.place}: {key}: expected a number from {low} to {high}, got {value!r}")
        return float(value)

    def whole(self, key: str, low: int, high: int) -> int:
        """Return the key's value as an integer; it must be between `low` and `high`."""
        value = self.number(key, low, high)
        if not value.is_integer():
            raise TaskError(f"{self.place}: {key}: expected a whole number, got {value!r}")
        return int(value)

    def texts(self, key: str, allowed: Collection[str] | None = None, is_optional: bool = False) -> tuple[str, ...]:
        """Return the key's list of distinct strings; only an optional list may be empty."""
        value = self._take(key, is_optional, [])
        if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
            raise TaskError(f"{self.place}: {key}: expected a list of strings, got {value!r}")
        if len(set(value)) != len(value) or not (value or is_optional):
            raise TaskError(f"{self.place}: {key}: expected at least one string and no duplicates, got {value!r}")
        for text in value:
            if allowed is not None and text not in allowed:
                known = ", ".join(allowed)
                raise TaskError(f"{self.place}: {key}: {text!r} is not one of {known}{did_you_mean(text, allowed)}")
        return tuple(value)

    def table(self, key: str) -> Fields:
        """Return the key's table."""
        value = self._take(key, False, None)
        if not isinstance(value, dict):
            raise TaskError(f"{self.place}: [{key}]: expected a table, got {value!r}")
        return Fields(f"{self.place}: {key}", value)

    def tables(self, key: str, is_optional: bool = False) -> list[Fields]:
        """Return the tables of the [[key]] list; only an optional list may be empty."""
        value = self._take(key, is_optional, [])
        if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
            raise TaskError(f"{self.place}: [[{key}]]: expected tables, got {value!r}")
        if not (value or is_optional):
            raise TaskError(f"{self.place}: [[{key}]]: expected at least one")
        return [Fields(f"{self.place}: {key} {number}", table) for number, table in enumerate(value, 1)]

    def reject_unknown_keys(self) -> None:
        """Raise TaskError if the table contains a key that was never read."""
        for key in self._left:
            raise TaskError(f"{self.place}: {key}: unknown key{did_you_mean(key, self._asked)}")

    def _take(self, key: str, is_optional: bool, default: Any) -> Any:
        self._asked.append(key)
        if key not in self._left and not is_optional:
            raise TaskError(f"{self.place}: {key}: missing{did_you_mean(key, self._left)}")
        return self._left.pop(key, default)
