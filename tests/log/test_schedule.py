"""The same history gives the same dates, with the FSRS paper's default parameters; "due today" is in local time."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest

from interviewer.log.schedule import Card, Rating, Review, due_items, end_of_day, schedule
from tests.log.build import DAY

CLIPPING, GAE = Card("question", "clipping", 2), Card("task", "gae")
GRADES = {"1": Rating.AGAIN, "2": Rating.HARD, "3": Rating.GOOD, "4": Rating.EASY}


def review(rating: Rating, at: float = 0.0, card: Card = CLIPPING, only_if_known: bool = False) -> Review:
    return Review(card, at, rating, "why", only_if_known=only_if_known)


@pytest.mark.parametrize(
    ("grades", "days"), [("1", 1), ("2", 1), ("3", 2), ("4", 8), ("33", 11), ("333", 46), ("331", 2), ("133", 6)]
)
def test_intervals_are_those_of_the_default_parameters(grades: str, days: int) -> None:
    reviews: list[Review] = []
    for grade in grades:
        at = schedule(reviews)[0].due_at if reviews else 0.0
        reviews.append(review(GRADES[grade], at))
    planned = schedule(reviews)[0]
    assert (planned.due_at - reviews[-1].at) / DAY == days
    assert planned.count == len(grades)


def test_the_order_in_which_reviews_are_read_does_not_matter() -> None:
    reviews = [review(Rating.GOOD, at * DAY, card) for at in range(6) for card in (CLIPPING, GAE)]
    shuffled = random.Random(1).sample(reviews, len(reviews))
    assert schedule(shuffled) == schedule(reviews)


def test_a_rung_above_a_break_is_again_only_if_it_was_known() -> None:
    above = Card("question", "clipping", 4)
    assert schedule([review(Rating.AGAIN, card=above, only_if_known=True)]) == []
    known = [review(Rating.EASY, 0.0, above), review(Rating.AGAIN, DAY, above, only_if_known=True)]
    assert schedule(known)[0].last.rating is Rating.AGAIN


def test_due_is_most_overdue_first_with_the_rungs_of_a_question_together() -> None:
    reviews = [
        review(Rating.AGAIN, 3 * DAY, Card("question", "clipping", 3)),
        review(Rating.AGAIN, 1 * DAY, Card("question", "clipping", 1)),
        review(Rating.AGAIN, 2 * DAY, GAE),
        review(Rating.EASY, 0.0, Card("question", "late", 1)),
    ]
    items = due_items(schedule(reviews), until=5 * DAY)
    assert [(item.id, item.rungs) for item in items] == [("clipping", (1, 3)), ("gae", ())]
    assert [item.start_command for item in items] == [
        "interviewer interview --question clipping",
        "interviewer challenge gae",
    ]
    assert items[0].overdue_days(5 * DAY) == 3.0
    assert due_items(schedule(reviews), until=DAY) == []


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_the_day_ends_where_the_user_lives(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    now = 1_795_300_000.0
    ends = end_of_day(now)
    assert time.localtime(ends)[:3] == time.localtime(now)[:3]
    assert time.localtime(ends + 1)[:3] != time.localtime(now)[:3]
    monkeypatch.undo()
    time.tzset()


def test_the_libraries_are_loaded_only_when_they_are_used() -> None:
    script = (
        "import sys, interviewer.cli.group, interviewer.interview.context\n"
        "import interviewer.cli.log, interviewer.cli.export\n"
        "print(*sorted({'fsrs', 'genanki', 'torch', 'textual', 'litellm', 'docker', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(("date", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-22", 24)])
def test_the_day_on_which_the_clocks_change_ends_at_midnight_too(
    date: str, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    try:
        began = time.mktime(time.strptime(date, "%Y-%m-%d"))
        assert end_of_day(began) == pytest.approx(began + 3600 * hours, abs=1)
    finally:
        monkeypatch.undo()
        time.tzset()
