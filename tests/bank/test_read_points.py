"""Every point that a derivation or an expert's answer supports still has the text that was compared with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.bank.load import load_questions
from interviewer.session.question import Point
from tests.bank.read_points import KINDS, digest, digests_of, read_record, unread

pytestmark = pytest.mark.content

SAYS = "The noise of a mean falls with the square root of the count."


@pytest.mark.parametrize("kind", KINDS)
def test_each_point_was_read_in_its_present_words(kind: str) -> None:
    """After an edit, compare the listed points again, then run `python -m tests.bank.read_points KIND --read`."""
    digests = digests_of(kind)

    assert unread(digests, read_record()[kind]) == []
    assert digests.keys() == read_record()[kind].keys()


def test_a_reworded_point_is_to_be_read_again_and_so_is_a_new_one() -> None:
    read = {"a.noise": digest(SAYS), "a.gone": digest("")}

    assert unread({"a.noise": digest(SAYS)}, read) == []
    assert unread({"a.noise": digest(SAYS.replace("square", "cube")), "a.new": digest(SAYS)}, read) == [
        "a.noise",
        "a.new",
    ]


def test_a_point_is_to_be_read_again_if_its_enough_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    question = load_questions()[0]
    first = question.points[0]
    name = f"{question.id}.{first.id}"
    monkeypatch.setattr("tests.bank.read_points.names_of", lambda kind: [name])

    def unread_with(point: Point) -> list[str]:
        asked = replace(question, points=(point, *question.points[1:]))
        monkeypatch.setattr("tests.bank.read_points.load_questions", lambda: [asked])
        return unread(digests_of("claims"), {name: digest(first.for_judge)})

    assert unread_with(first) == []
    assert unread_with(replace(first, enough="All of it is needed.")) == [name]
    assert unread_with(replace(first, still_open="what else")) == []
