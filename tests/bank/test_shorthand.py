"""Shorthand is read as the words that it stands for, and nothing else is changed."""

import pytest

from interviewer.examiner.matching.sentences import normalize, split_sentences


@pytest.mark.parametrize(
    ("typed", "expanded"),
    [
        ("w/o a baseline the var is high bc G is noisy", "without a baseline the variance is high because g is noisy"),
        ("w/ r=.5 and 1.5", "with r=0.5 and 1.5"),
        ("it isnt, and we dont", "it isn't, and we don't"),
        ("(R-μ)/σ per tok", "(r-mean)/std per token"),
        ("γⁿ·V and W²", "γ^n*v and w^2"),
        ("max_grad_norm and x.grad stay", "max_grad_norm and x.grad stay"),
    ],
)
def test_shorthand_is_written_out(typed: str, expanded: str) -> None:
    assert normalize(typed) == expanded


def test_quote_keeps_what_was_typed() -> None:
    assert split_sentences("DDP avgs the grads w/o asking.")[0].quote == "DDP avgs the grads w/o asking."


def test_full_stop_of_an_abbreviation_ends_no_sentence() -> None:
    assert len(split_sentences("Dr. GRPO drops it w.r.t. the reward. It is approx. 3.")) == 2
