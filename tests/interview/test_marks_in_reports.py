"""What an observer marked appears in every report next to the machine's and the candidate's own marks, as text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from interviewer.log.history import History
from interviewer.log.reports.csv import csv_text
from interviewer.log.reports.html import html_report
from interviewer.log.reports.overview import overview
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.state import ObserverMark, SelfMark
from tests.log.build import DAY, history_of, run_of
from tests.session.build import heard

WHO = "ada <b>|x"


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Return a session with all three kinds of marks, and one whose only marks are an observer's."""
    run, unanswered = run_of("s1"), run_of("s2", ("question", "entropy"), at=2 * DAY)
    run.answer(heard("p1"))
    while not run.session.drill.is_over:
        run.answer(heard())
    run.apply(events.SelfMarked(run.now + 1, tuple(SelfMark(f"p{n}", State.SHOWN) for n in range(1, 5))))
    marks = (ObserverMark("clipping", "p1", State.MISSING, WHO), ObserverMark("clipping", "p2", State.SHOWN, WHO))
    run.apply(events.ObserverMarked(run.now + 1, 1, marks))
    late = (ObserverMark("entropy", "p3", State.SHOWN, "bob"),)
    unanswered.apply(events.ObserverMarked(unanswered.now + 1, 1, late))
    return history_of(tmp_path, run, unanswered)


def test_the_page_shows_them_beside_the_other_marks(history: History) -> None:
    text = html_report(history, [], [], "Report", 9 * DAY)
    mark = '<span class="soft"> Observer&#x27;s mark, by ada &lt;b&gt;|x: '
    own = '<span class="soft"> Your own mark: shown.</span>'
    assert f"<q>quote of p1</q>{own}{mark}missing.</span>" in text
    assert f"not heard</span> {own}{mark}shown.</span>" in text
    assert text.count("mark, by ada") == 2
    assert "Not answered: ungraded.</p><ul><li>Point 3 of entropy." in text
    assert text.count("mark, by bob: shown.") == 1


def test_the_markdown_report_has_a_row_for_each(history: History) -> None:
    text = overview(history, [], [])
    rows = [line for line in text.partition("## Observer marks")[2].splitlines() if "| Point" in line]
    assert rows == [
        "| 1970-01-01 | clipping | Point 1 of clipping. | shown | shown | missing (ada \\<b>\\|x) |",
        "| 1970-01-01 | clipping | Point 2 of clipping. | not heard | shown | shown (ada \\<b>\\|x) |",
        "| 1970-01-03 | entropy | Point 3 of entropy. | not heard | - | shown (bob) |",
    ]


def test_the_csv_has_them_in_a_column_of_their_own(history: History) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(history))))
    assert [row["observer_marked"] for row in rows] == ["p1=missing p2=shown", "p3=shown"]


def test_without_an_observer_no_report_speaks_of_one(tmp_path: Path) -> None:
    run = run_of("s1")
    run.answer(heard("p1"))
    history = history_of(tmp_path, run)
    assert "bserver" not in html_report(history, [], [], "Report", 9 * DAY)
    assert "bserver" not in overview(history, [], [])
