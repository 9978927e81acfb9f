"""Writes a question's table as TOML for people to go on with; whatever a text holds, it is read back unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_ONE_LINE = re.compile(r"[^\x00-\x1f\x7f']*")
_MANY_LINES = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f]*")
_UNWRITABLE = re.compile(r"[\x7f\ud800-\udfff]")
_SHORT_CHARS = 100


def toml_text(table: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return the table with its comments above it. Its values are texts, whole numbers, truth values, lists of texts,
    tables of these, and lists of tables."""
    lines = [f"# {' '.join(comment.split())}" for comment in comments]
    lines += [f"{key} = {_value(value)}" for key, value in table.items() if not _is_tables(value)]
    for key, value in table.items():
        if _is_tables(value):
            for entry in value:
                lines += ["", f"[[{key}]]", *(f"{name} = {_value(inner)}" for name, inner in entry.items())]
    return "\n".join([*lines, ""])


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "".join(_listed([_text(text) for text in value]))
    return _text(value)


def _listed(values: Sequence[str]) -> Iterator[str]:
    if sum(map(len, values)) <= _SHORT_CHARS:
        yield "[" + ", ".join(values) + "]"
        return
    yield "[\n"
    yield from (f"    {value},\n" for value in values)
    yield "]"


def _text(text: str) -> str:
    """Return a text in the quotes that leave it as it is, where there are any: phrasings are full of backslashes."""
    if _ONE_LINE.fullmatch(text):
        return f"'{text}'"
    if _MANY_LINES.fullmatch(text) and "'''" not in text and not text.startswith("\n") and not text.endswith("'"):
        return f"'''{text}'''"
    # The escapes of JSON are escapes of TOML; what JSON leaves raw and TOML refuses is named by its number.
    return _UNWRITABLE.sub(lambda match: _escaped(match.group()), json.dumps(text, ensure_ascii=False))


def _escaped(char: str) -> str:
    # A lone surrogate is no character, so no file can hold it.
    return "\\u007f" if char == "\x7f" else "\\ufffd"
