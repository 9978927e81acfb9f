"""Every key of every shipped TOML file is found on its line; for a missing key, the line of its table is found."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.load import QUESTIONS
from interviewer.bank.parse import parse_question
from tasks.fields import Key, line_of
from tasks.load import TASKS_FOLDER

FILES = [*TASKS_FOLDER.glob("*/*/task.toml"), *QUESTIONS.glob("*/*.toml")]


INLINE = frozenset({"when", "given", "fails", "source"})


def keys(table: Mapping[str, Any], above: Key = ()) -> Iterator[Key]:
    """Yield the path of every key at the beginning of a line."""
    for name, value in table.items():
        if name in INLINE:
            yield (*above, name)
        elif isinstance(value, dict):
            yield from keys(value, (*above, name))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for index, item in enumerate(value):
                yield from keys(item, (*above, name, index))
        else:
            yield (*above, name)


@pytest.mark.parametrize("folder", [TASKS_FOLDER, QUESTIONS], ids=lambda folder: folder.name)
def test_each_key_has_the_line_that_it_stands_in(folder: Path) -> None:
    files = [path for path in FILES if path.is_relative_to(folder)]
    assert len(files) >= 60
    for path in files[::5]:
        text = path.read_text(encoding="utf-8")
        line_numbers = {key: line_of(text, key) for key in keys(tomllib.loads(text))}
        assert len(set(line_numbers.values())) == len(line_numbers)
        for key, line in line_numbers.items():
            assert text.splitlines()[line - 1].startswith(f"{key[-1]} ="), (path, key)


TEXT = '''a = """
b = 1
[c]
"""
[[c]]
d = 2
e = \'\'\'x = 1\'\'\' # "
[[c]]
f = ["g = 3",
  "h"]
[i.j]
k = 4
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("a",), 1),
        (("b",), 0),
        (("c",), 5),
        (("c", 0, "d"), 6),
        (("c", 0, "e"), 7),
        (("c", 0, "x"), 5),
        (("c", 1), 8),
        (("c", 1, "f", 1), 9),
        (("c", 1, "d"), 8),
        (("c", 2, "d"), 5),
        (("i", "j", "k"), 12),
    ],
)
def test_strings_are_passed_over_and_what_is_missing_has_its_table(key: Key, line: int) -> None:
    assert line_of(TEXT, key) == line


@pytest.mark.expectation(number=69)
def test_a_problem_of_a_question_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "area" / "mine.toml"
    path.parent.mkdir()
    text = next(path for path in FILES if path.name == "gae.toml" or path.parent.parent == QUESTIONS).read_text()
    changed = text.replace("[[rung]]\nask = ", "[[rung]]\nasks = ", 1)
    path.write_text(changed, encoding="utf-8")
    _, problems = parse_question(path)
    lines = changed.splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("asks = "))
    assert f"{path}:{line}: rung[0].asks: unknown key; did you mean 'ask'?" in problems
    assert f"{path}:{line - 1}: rung[0].ask: expected text, got nothing" in problems
