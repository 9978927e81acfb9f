"""Every row of the list of expectations has a marked test, and every mark has a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = (ROOT / "docs" / "expectations.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| (.+?) \|.*\|$", LIST, re.MULTILINE)


def marked_numbers() -> Iterator[tuple[str, str, int]]:
    """Yield the file and the name of each marked test, and the number in its mark, whichever tests are selected."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.expectation" not in text:
            continue
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for node in functions:
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.expectation":
                    number = next(word.value for word in mark.keywords if word.arg == "number")
                    yield str(path.relative_to(ROOT)), node.name, ast.literal_eval(number)


def test_every_number_is_there_once() -> None:
    assert [int(number) for number, _ in ROWS] == list(range(1, 75))


def test_every_number_has_a_test_and_every_mark_a_row() -> None:
    marked = list(marked_numbers())
    assert {number for _, _, number in marked} == {int(number) for number, _ in ROWS}
    assert [(path, name) for path, name, _ in marked if not name.startswith("test_")] == []


def test_the_list_names_no_test_by_its_path() -> None:
    assert re.findall(r"tests/[\w/]+\.py::", LIST) == []
