"""What is due on a day stays a day's work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graders.verdict import Verdict
from interviewer.log.attempts import new_attempt
from interviewer.log.schedule import DAILY_MAX
from interviewer.log.store import PracticeLog
from interviewer.practice import read_practice
from tests.tui.conftest import report

LONG_AGO = 1_700_000_000.0


def test_no_more_is_due_than_fits_a_day_and_the_most_overdue_comes_first(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    for number in range(DAILY_MAX + 5):
        failed = replace(report(Verdict.WRONG_VALUE), task=f"task_{number:02d}")
        log.record_attempt(new_attempt(failed, "x", "grade", at=LONG_AGO + 86_400 * number))
    due = read_practice(log, {}).due
    log.close()
    assert [one.id for one in due] == [f"task_{number:02d}" for number in range(DAILY_MAX)]
