"""An explanation that names the mistake is recognized; one that denies it or says what would be right is not."""

from __future__ import annotations

import pytest

from interviewer.examiner.mistake_name import quote_naming

MAX, MIN = "loss = torch.max(plain, clipped)", "loss = -torch.min(plain, clipped)"


@pytest.mark.parametrize(
    ("mistake", "source", "answer", "is_named"),
    [
        ("max_for_min", MAX, "I took the maximum, so the pessimistic bound is lost.", True),
        ("max_for_min", MAX, "My code uses the larger of the two.", True),
        ("max_for_min", MIN, "I used max instead of min.", True),
        ("max_for_min", MIN, "torch.maximum and torch.minimum are swapped", True),
        ("max_for_min", MIN, "I took the maximum, so the pessimistic bound is lost.", False),
        ("max_for_min", MAX, "I took the minimum of the two.", False),
        ("max_for_min", MIN, "I took the smaller of the two losses.", True),
        ("max_for_min", "torch.where(a > b, a.clamp(max=1), b)", "I took the maximum.", False),
        ("tokens_for_rows", "", "I averaged over the tokens instead of the rows.", True),
        ("tokens_for_rows", "tokens", "I use the tokens.", False),
        ("max_for_min", MAX, "I should have used the maximum.", False),
        ("max_for_min", MAX, "I did not take the maximum.", False),
        ("max_for_min", MAX, "Did I take the maximum?", False),
        ("max_for_min", MAX, "The maximum of the ratio is not clipped.", False),
        ("ratio_inverted", "", "Perhaps the mean. I inverted the ratio.", True),
        ("ratio_inverted", "", "The ratio is not inverted.", False),
        ("ratio_inverted", "", "The ratio is clipped.", False),
        ("clip_only", "", "I only clip the ratio.", False),
    ],
)
def test_all_words_of_the_name_in_one_sentence(mistake: str, source: str, answer: str, is_named: bool) -> None:
    quote = quote_naming(mistake, source, answer)
    assert bool(quote) is is_named
    assert quote in answer


def test_the_quote_is_the_sentence_that_names_it() -> None:
    assert quote_naming("ratio_inverted", "", "Perhaps the mean. I inverted the ratio.") == "I inverted the ratio."
