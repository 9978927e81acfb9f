"""The coverage counts what an answer says about a point, not that it lies on file."""

from __future__ import annotations

from pathlib import Path

from interviewer.bank.load import load_questions
from interviewer.bank.paraphrases import Tried, coverage, tried_points

ANSWERS = """
[[answer]]
kind = "excellent"
text = "It is a lower bound. The way back stays open."
shown = ["minimum_is_lower_bound", "way_back_kept"]
[[answer]]
kind = "other_words"
text = "The choice is pessimistic."
shown = ["minimum_is_lower_bound"]
[[answer]]
kind = "partial"
text = "The minimum is a lower bound of it."
shown = ["minimum_is_lower_bound"]
[[answer]]
kind = "wrong"
text = "The minimum is an upper bound of the surrogate."
not_shown = ["minimum_is_lower_bound", "way_back_kept"]
[[answer]]
kind = "negated"
text = "The minimum is not a lower bound."
not_shown = ["minimum_is_lower_bound"]
"""


def test_each_kind_of_answer_counts_for_the_points_that_it_speaks_of(bank: Path, tmp_path: Path) -> None:
    (tmp_path / "small_clip.toml").write_text(ANSWERS, encoding="utf-8")

    tried = {one.point: one for one in tried_points(load_questions(bank), tmp_path)}

    assert tried["minimum_is_lower_bound"] == Tried("small_clip", "minimum_is_lower_bound", 2, 1, 1, 1)
    assert tried["minimum_is_lower_bound"].lacks == ()
    # Named by the wrong answer, which says nothing about it; and shown by the excellent one alone.
    assert tried["way_back_kept"] == Tried("small_clip", "way_back_kept", 0, 0, 0, 0)
    assert tried["way_back_kept"].lacks[0] == "any right paraphrase"
    assert coverage(list(tried.values())).startswith(
        "answers on file for 5 points: right outside the excellent answer 20%"
    )


def test_a_question_without_answers_lacks_everything(bank: Path, tmp_path: Path) -> None:
    assert all(len(one.lacks) == 4 for one in tried_points(load_questions(bank), tmp_path))
