"""Without a screen, a line says what the candidate waits for; what takes no time is not mentioned."""

from __future__ import annotations

import io

import pytest

from interviewer.cli.plain.interview import PlainFrontend


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("judging", "\n(waiting for the model to judge your answer …)\n"),
        ("wording", "\n(waiting for the model to word the next question …)\n"),
        ("grading", "\n(grading …)\n"),
        ("listening", ""),
        ("", ""),
    ],
)
def test_a_line_says_what_is_waited_for(what: str, line: str) -> None:
    out = io.StringIO()
    PlainFrontend(out, io.StringIO()).show_busy(what)
    assert out.getvalue() == line
