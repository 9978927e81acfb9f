"""Finds the line of a key in a TOML text, for errors that an author can jump to; the TOML library keeps no lines."""

from __future__ import annotations

import re

Key = tuple[str | int, ...]
_HEAD = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_LONG_STRING = re.compile(r"'''|\"\"\"")


def line_of(text: str, key: Key) -> int:
    """Return the line, from 1, of a key such as ("point", 2, "says"), items of lists counted from 0.

    What is missing has the line of the table that it is missing in; 0 when not even that is there.
    """
    lines = _lines(text)
    return next((lines[key[:end]] for end in range(len(key), 0, -1) if key[:end] in lines), 0)


def _lines(text: str) -> dict[Key, int]:
    """Return the line of every table and key."""
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
