"""Typed text is shown once: added lines, changed lines, and only the new part of a growing line."""

from __future__ import annotations

import pytest

from interviewer.interview.observer_client import TYPED_LINES_MAX, changed_lines


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("", "The ratio", ["1| The ratio"]),
        ("The ratio", "The ratio is", ["1| … is"]),
        ("a\nb\nc", "a\nB\nc", ["2| B"]),
        ("a\nc", "a\nb\nc", ["2| b"]),
        ("a\nb\nc", "a\nc", ["2| (lines removed; 2 remain)"]),
        ("a", "a\n", ["2| "]),
        ("a\nb", "", []),
        ("a", "b", ["1| b"]),
    ],
)
def test_only_what_changed_is_shown(before: str, after: str, shown: list[str]) -> None:
    assert list(changed_lines(before, after)) == shown


def test_a_pasted_program_is_cut_and_says_so() -> None:
    lines = list(changed_lines("", "\n".join(str(number) for number in range(100))))
    assert len(lines) == TYPED_LINES_MAX + 1
    assert lines[-1].startswith("… 60 more changed lines")
