"""The list of expectations names only tests that are there, and leaves no number out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = (ROOT / "docs" / "expectations.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \|$", LIST, re.MULTILINE)


def test_every_number_is_there_once() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 75))


def test_every_named_test_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", LIST)
    assert len(named) > 60
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (ROOT / path).exists()
        or not re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_a_row_without_a_test_says_what_is_missing() -> None:
    silent = [number for number, _, shown in ROWS if "tests/" not in shown and not shown.startswith("Not ")]
    assert silent == []
    halves = [number for number, _, shown in ROWS if shown.startswith("part: ") and len(shown.split("`")[-1]) < 10]
    assert halves == []
