"""Which divisor of a loss makes a token's gradient depend on how a batch is split into microbatches and ranks."""

from __future__ import annotations

import pytest
import torch

pytestmark = pytest.mark.content

LENGTHS = [900, 120, 300, 60, 840, 200, 150, 430]
MAXIMUM = 1024
TOKENS = sum(LENGTHS)


def slopes(micro: int, mode: str) -> list[float]:
    """Return the gradient at one token of each response, accumulated over all microbatches of a padded batch.

    Padding contains a large number, which the mask has to exclude.
    """
    responses = [torch.zeros(length, dtype=torch.float64, requires_grad=True) for length in LENGTHS]
    total = torch.zeros((), dtype=torch.float64)
    for start in range(0, len(LENGTHS), micro):
        part = responses[start : start + micro]
        losses = torch.nn.utils.rnn.pad_sequence(part, batch_first=True, padding_value=1e6)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(each) for each in part], batch_first=True)
        sums = torch.where(mask > 0, losses, 0).sum(1)
        divisors = {
            "token-mean": torch.full_like(sums, TOKENS / len(LENGTHS)),
            "own length": mask.sum(1),
            "constant": torch.full_like(sums, MAXIMUM),
            "width of the mask": torch.full_like(sums, mask.shape[1]),
            "tokens of the microbatch": torch.full_like(sums, float(mask.sum()) / len(part)),
        }
        total = total + (sums / divisors[mode]).sum() / len(LENGTHS)
    return [float(each[0]) for each in torch.autograd.grad(total, responses)]


@pytest.mark.parametrize("mode", ["token-mean", "own length", "constant"])
def test_with_global_counts_or_a_constant_the_micro_batch_size_changes_nothing(mode: str) -> None:
    assert slopes(1, mode) == pytest.approx(slopes(2, mode), rel=1e-12)
    assert slopes(1, mode) == pytest.approx(slopes(8, mode), rel=1e-12)


def test_with_the_longest_response_of_the_microbatch_it_does() -> None:
    """The response of 60 tokens shares its microbatch with one of 300, or with one of 900."""
    alone, paired, whole = (slopes(micro, "width of the mask") for micro in (1, 2, 8))

    assert paired[3] / whole[3] == pytest.approx(3)
    assert alone[3] / whole[3] == pytest.approx(15)


def test_with_the_tokens_of_the_microbatch_it_does_as_well() -> None:
    assert slopes(2, "tokens of the microbatch")[3] != pytest.approx(slopes(8, "tokens of the microbatch")[3], rel=0.1)


def test_the_token_mean_gives_every_token_one_weight_and_the_mean_of_means_one_over_the_length() -> None:
    assert slopes(8, "token-mean") == pytest.approx([1 / TOKENS] * len(LENGTHS))
    assert slopes(8, "own length") == pytest.approx([1 / (len(LENGTHS) * length) for length in LENGTHS])


RANKS = 2
ON_RANKS = [torch.full((300,), 1.0, dtype=torch.float64), torch.full((100,), 3.0, dtype=torch.float64)]


def averaged(divisors: list[float], scale: float) -> tuple[float, float]:
    """Return the loss and the gradient of a shared factor, averaged over the ranks as DDP does."""
    weight = torch.ones((), dtype=torch.float64, requires_grad=True)
    parts = [scale * (weight * losses).sum() / by for losses, by in zip(ON_RANKS, divisors, strict=True)]
    slopes_of_ranks = [torch.autograd.grad(part, weight, retain_graph=True)[0] for part in parts]
    return float(sum(part.detach() for part in parts)) / RANKS, float(sum(slopes_of_ranks)) / RANKS


def test_the_local_sum_times_the_ranks_over_the_global_count_is_the_token_mean() -> None:
    together = float(torch.cat(ON_RANKS).mean())
    count = float(len(torch.cat(ON_RANKS)))

    assert averaged([count, count], RANKS) == pytest.approx((together, together))
    assert together == pytest.approx(1.5)
    local = averaged([float(len(losses)) for losses in ON_RANKS], 1.0)
    assert local == pytest.approx((2.0, 2.0))
    assert averaged([count, count], 1.0) == pytest.approx((together / RANKS, together / RANKS))


def slime_slopes(factor: float, micro: int = 4, dp: int = 4, cp: int = 2, samples: int = 256) -> list[float]:
    """Return the gradient of each sample's mean loss.

    A rank sums the means of its samples (or its context-parallel share of them) in each microbatch; Megatron divides by
    the number of microbatches, and gradients are averaged over data- and context-parallel ranks.
    """
    means = torch.zeros(samples, dtype=torch.float64, requires_grad=True)
    each = samples // (dp * micro)
    losses = []
    for data_rank in range(dp):
        for _ in range(cp):
            parts = [means[(data_rank * micro + place) * each :][:each].sum() / cp for place in range(micro)]
            losses.append(torch.stack(parts).sum() / micro)
    return torch.autograd.grad(factor * torch.stack(losses).mean(), means)[0].tolist()


def test_slimes_factor_gives_the_mean_over_samples_and_without_the_context_ranks_half_of_it() -> None:
    right = [1 / 256] * 256
    assert slime_slopes(4 / 256 * 4 * 2) == pytest.approx(right)
    assert slime_slopes(4 / 256 * 4) == pytest.approx([each / 2 for each in right])
    assert slime_slopes(1.0) == pytest.approx([each / 0.125 for each in right])
