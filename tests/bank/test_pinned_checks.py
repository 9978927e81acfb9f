"""Each numeric check gives the result that is pinned for it, and a changed check is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.bank.load import load_questions
from interviewer.session.question import Check, Given
from tests.bank.pinned_checks import differences, line_of, lines_of, read_pinned

pytestmark = pytest.mark.content

CHECK = Check(rung=4, ask="{p}B parameters?", given=(Given("p", (7, 7)),), number="18 * p", unit="GB")


def test_every_numeric_check_gives_its_pinned_result() -> None:
    """After an edit, work out the result of each check that is listed, then run the command with `--write`."""
    pinned, now = read_pinned(), lines_of(load_questions())
    assert [*differences(pinned, now)] == []
    assert pinned == now


@pytest.mark.parametrize(
    "changed",
    [replace(CHECK, number="20 * p"), replace(CHECK, unit="TB"), replace(CHECK, given=(Given("p", (8, 8)),))],
)
def test_a_changed_check_is_listed_with_both_results(changed: Check) -> None:
    before, after = line_of(CHECK), line_of(changed)

    assert before == "rung 4: p = 7: 126 GB"
    assert [*differences({"a": [before]}, {"a": [after]})] == [f"a: - {before}", f"a: + {after}"]
