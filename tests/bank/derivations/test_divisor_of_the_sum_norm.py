"""Which divisor makes a gradient depend on how a batch is cut into microbatches."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.content

LENGTHS = [900, 120, 300, 60, 840, 200, 150, 430]
MAXIMUM = 1024


def weights(micro: int, divisor: str) -> list[float]:
    """Return the factor of one token's gradient in each response: 1 / (responses in the global batch * divisor).

    A token mean divides by the tokens of the global batch instead, and a sequence mean by the response's own length.
    """
    factors = []
    for start in range(0, len(LENGTHS), micro):
        part = LENGTHS[start : start + micro]
        for length in part:
            if divisor == "token-mean":
                factors.append(1 / sum(LENGTHS))
                continue
            by = {"own length": length, "constant": MAXIMUM, "longest of the microbatch": max(part)}[divisor]
            factors.append(1 / (len(LENGTHS) * by))
    return factors


@pytest.mark.parametrize("divisor", ["token-mean", "own length", "constant"])
def test_with_global_counts_or_a_constant_the_micro_batch_size_changes_nothing(divisor: str) -> None:
    assert weights(1, divisor) == weights(2, divisor) == weights(8, divisor)


def test_with_the_longest_response_of_the_microbatch_it_does() -> None:
    """The response of 60 tokens shares its microbatch with one of 300, or with one of 900."""
    alone, paired, whole = (weights(micro, "longest of the microbatch") for micro in (1, 2, 8))

    assert paired[3] / whole[3] == pytest.approx(3)
    assert alone[3] / whole[3] == pytest.approx(15)
