"""Reads one TOML table strictly: every key has a declared type, and an unused key is reported as a problem."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.fields import line_of

_KEY_PARTS = re.compile(r"\w+")


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return a suffix that suggests the closest known word, or else lists the known words; "" if no words are known."""
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known: {', '.join(known)}" if known else ""


def read_toml(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the tables of a TOML file, and any problems found while reading it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        return {}, [f"{path}: invalid TOML: {error}"]


def with_lines(problems: Sequence[str], path: Path) -> list[str]:
    """Add the line number of the key to each problem in a readable file, if the key can be found."""
    text = path.read_text(encoding="utf-8") if problems else ""
    located = []
    for problem in problems:
        key, _, what = problem.removeprefix(f"{path}: ").partition(": ")
        line = line_of(text, tuple(int(part) if part.isdigit() else part for part in _KEY_PARTS.findall(key)))
        located.append(f"{path}:{line}: {key}: {what}" if line else problem)
    return located


class Fields:
    """Typed access to one table. For an invalid value, a method adds to `problems` and returns an empty value."""

    def __init__(self, table: dict[str, Any], where: str, problems: list[str]) -> None:
        self._table = table
        self._where = where
        self._problems = problems
        self._asked: list[str] = []

    def add_problem(self, key: str, problem: str) -> None:
        """Add a problem for this key."""
        self._problems.append(f"{self._where}{key}: {problem}")

    def text(self, key: str, *, required: bool = True) -> str:
        """Return the key's stripped text; empty if the text is missing or invalid."""
        self._asked.append(key)
        if key not in self._table and not required:
            return ""
        value = self._table.get(key)
        if not isinstance(value, str) or not value.strip():
            self.add_problem(key, f"expected text, got {_shown(value)}")
            return ""
        return value.strip()

    def texts(self, key: str, *, required: bool = True) -> tuple[str, ...]:
        """Return the stripped texts in the key's list; () if the list is missing, empty or invalid."""
        self._asked.append(key)
        if key not in self._table and not required:
            return ()
        value = self._table.get(key)
        if not isinstance(value, list) or not value:
            self.add_problem(key, f"expected a list with at least one string, got {_shown(value)}")
            return ()
        for index, text in enumerate(value):
            if not isinstance(text, str) or not text.strip():
                self.add_problem(f"{key}[{index}]", f"expected text, got {_shown(text)}")
        return tuple(text.strip() for text in value if isinstance(text, str) and text.strip())

    def texts_or_tables(self, key: str) -> list[str | Fields]:
        """Return the stripped texts and the tables in the key's list; [] if the list is missing or invalid.

        An empty list is treated as invalid.
        """
        self._asked.append(key)
        value = self._table.get(key)
        if not isinstance(value, list) or not value:
            self.add_problem(key, f"expected a list with at least one string or table, got {_shown(value)}")
            return []
        entries: list[str | Fields] = []
        for index, entry in enumerate(value):
            if isinstance(entry, dict):
                entries.append(Fields(entry, f"{self._where}{key}[{index}].", self._problems))
            elif isinstance(entry, str) and entry.strip():
                entries.append(entry.strip())
            else:
                self.add_problem(f"{key}[{index}]", f"expected text or a table, got {_shown(entry)}")
        return entries

    def integer(self, key: str, low: int, high: int) -> int:
        """Return the key's integer, from `low` to `high`; `low` if the integer is missing or invalid."""
        self._asked.append(key)
        value = self._table.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            wanted = str(low) if low == high else f"a whole number from {low} to {high}"
            self.add_problem(key, f"expected {wanted}, got {_shown(value)}")
            return low
        return value

    def share(self, key: str, default: float) -> float:
        """Return the key's value, a number in [0, 1); the default if the value is missing or invalid."""
        self._asked.append(key)
        value = self._table.get(key, default)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < 1:
            self.add_problem(key, f"expected a number >= 0 and < 1, got {_shown(value)}")
            return default
        return float(value)

    def numbers(self, key: str) -> dict[str, tuple[float, ...]]:
        """Return the lists of numbers in a table, by name; empty if the table is missing."""
        self._asked.append(key)
        table = self._table.get(key, {})
        if not isinstance(table, dict):
            self.add_problem(key, f"expected a table whose values are lists of numbers, got {_shown(table)}")
            return {}
        lists: dict[str, tuple[float, ...]] = {}
        for name, values in table.items():
            if isinstance(values, list) and values and all(type(value) in (int, float) for value in values):
                lists[name] = tuple(map(float, values))
            else:
                self.add_problem(f"{key}.{name}", f"expected a list of numbers, got {_shown(values)}")
        return lists

    def flag(self, key: str) -> bool:
        """Return the key's boolean value; False if the key is missing or invalid."""
        self._asked.append(key)
        value = self._table.get(key, False)
        if not isinstance(value, bool):
            self.add_problem(key, f"expected true or false, got {_shown(value)}")
            return False
        return value

    def table(self, key: str) -> Fields:
        """Return the key's table; an empty table if the key is missing or invalid."""
        self._asked.append(key)
        value = self._table.get(key)
        if not isinstance(value, dict):
            self.add_problem(key, f"expected a table, got {_shown(value)}")
            value = {}
        return Fields(value, f"{self._where}{key}.", self._problems)

    def tables(self, key: str, *, required: bool = True) -> list[Fields]:
        """Return the key's array of tables; [] if the array is missing or invalid. An empty array is invalid."""
        self._asked.append(key)
        if key not in self._table and not required:
            return []
        value = self._table.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
            self.add_problem(key, f"expected at least one [[{key}]], got {_shown(value)}")
            return []
        return [Fields(entry, f"{self._where}{key}[{index}].", self._problems) for index, entry in enumerate(value)]

    def reject_unknown_keys(self) -> None:
        """Add a problem for every key that was never read."""
        for key in self._table:
            if key not in self._asked:
                self.add_problem(key, f"unknown key{did_you_mean(key, self._asked)}")


def _shown(value: object) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:60]!r}"
