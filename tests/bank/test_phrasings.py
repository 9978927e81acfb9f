"""Which phrasings change the credit: one of two that match in the same sentence, and none of those without a match."""

from __future__ import annotations

from dataclasses import replace

from interviewer.session.assessment import State
from interviewer.session.question import Point
from tests.bank.phrasings import Graded, figures, judge_with, matching, necessary, with_phrasings
from tests.examiner.clip_question import QUESTION

POINTS = (Point("flat", "It is flat.", ("flat", "no slope", "horizontal")), Point("way", "Way back.", ("pull",)))
ASKED = replace(QUESTION, points=POINTS, misconceptions=())
ANSWER = "Beyond the border it is flat, so it has no slope."


def test_one_of_two_phrasings_of_a_sentence_is_unnecessary_and_so_is_one_that_matches_nowhere() -> None:
    judge = judge_with(None)
    assert matching(ASKED, [ANSWER]) == {"flat": {"flat", "no slope"}, "way": set()}
    assert necessary(ASKED, [ANSWER], judge) == {"flat": ("flat",), "way": ()}
    apart = ["Beyond the border it is flat.", "It has no slope there."]
    assert necessary(ASKED, apart, judge) == {"flat": ("flat", "no slope"), "way": ()}


def test_the_figures_count_graded_points_only() -> None:
    judge, questions = judge_with(None), {ASKED.id: ASKED}
    right = Graded(ASKED.id, ANSWER, {"flat": State.SHOWN})
    wrong = Graded(ASKED.id, "It is pulled back, and flat.", {"way": State.CONTRADICTED}, frozenset({"way"}))
    says = "{} of 1 credited points are heard; {} of {} heard points are missing or wrong"
    assert figures([right, wrong], questions, judge) == says.format("100%", "50%", 2)
    bare = {ASKED.id: with_phrasings(ASKED, {})}
    assert figures([right, wrong], bare, judge) == says.format("0%", "–", 0)
