"""No more reviews are due on one day than fit in a day."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graders.verdict import Verdict
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.log.attempts import new_attempt
from interviewer.log.schedule import DAILY_MAX
from tests.tui.conftest import report, task

LONG_AGO = 1_700_000_000.0


@pytest.mark.expectation(number=56)
def test_no_more_is_due_than_fits_a_day_and_the_most_overdue_comes_first() -> None:
    names = [f"task_{number:02d}" for number in range(DAILY_MAX + 5)]
    with AppContext(Settings(), find_folders(), environ={}) as context:
        context.full_tasks = tuple(map(task, names))
        for number, name in enumerate(names):
            failed = replace(report(Verdict.WRONG_VALUE), task=name)
            context.log.record_attempt(new_attempt(failed, "x", "grade", at=LONG_AGO + 86_400 * number))
        assert [item.id for item in context.progress().due] == names[:DAILY_MAX]
