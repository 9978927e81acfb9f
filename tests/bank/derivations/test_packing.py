"""A packed row gives the same loss and gradients as the padded batch, except with the mistakes tested here."""

from __future__ import annotations

import pytest
import torch

pytestmark = pytest.mark.content

WORDS, WIDTH = 7, 6
GENERATOR = torch.Generator().manual_seed(13)
LENGTHS = [3, 1, 4]
SEQUENCES = [torch.randint(WORDS, (length + 1,), generator=GENERATOR) for length in LENGTHS]
WEIGHTS = {
    name: torch.randn(*shape, generator=GENERATOR, dtype=torch.float64) / 2
    for name, shape in {
        "words": (WORDS, WIDTH),
        "places": (8, WIDTH),
        "query": (WIDTH, WIDTH),
        "key": (WIDTH, WIDTH),
        "value": (WIDTH, WIDTH),
        "head": (WIDTH, WORDS),
    }.items()
}

Weights = dict[str, torch.Tensor]


def losses(
    weights: Weights, words: torch.Tensor, targets: torch.Tensor, positions: torch.Tensor, allowed: torch.Tensor
) -> torch.Tensor:
    """Return the loss of each token of a row, from one layer of attention; `allowed` is [to, from]."""
    hidden = weights["words"][words] + weights["places"][positions]
    scores = (hidden @ weights["query"]) @ (hidden @ weights["key"]).T
    mixed = scores.masked_fill(~allowed, float("-inf")).softmax(-1) @ (hidden @ weights["value"])
    return torch.nn.functional.cross_entropy((hidden + mixed) @ weights["head"], targets, reduction="none")


def causal(length: int) -> torch.Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


def padded(weights: Weights) -> list[torch.Tensor]:
    """Return the losses of each sequence, computed in its own row, padded to the longest one."""
    rows, width = [], max(LENGTHS)
    for sequence in SEQUENCES:
        filled = torch.nn.functional.pad(sequence, (0, width + 1 - len(sequence)))
        row = losses(weights, filled[:-1], filled[1:], torch.arange(width), causal(width))
        rows.append(row[: len(sequence) - 1])
    return rows


def packed(
    weights: Weights, *, resets_positions: bool = True, sees_neighbors: bool = False, keeps_boundary: bool = False
) -> list[torch.Tensor]:
    """Return the losses of each sequence, computed in one row that contains all of them.

    With `keeps_boundary`, the row is shifted as a whole: a sequence's last token predicts the next sequence's first.
    """
    words = torch.cat([sequence[:-1] for sequence in SEQUENCES])
    targets = torch.cat([sequence[1:] for sequence in SEQUENCES])
    if keeps_boundary:
        targets[:-1] = words[1:]
    segments = torch.repeat_interleave(torch.arange(len(LENGTHS)), torch.tensor(LENGTHS))
    positions = torch.cat([torch.arange(length) for length in LENGTHS])
    allowed = causal(len(words)) & (sees_neighbors | (segments[:, None] == segments[None, :]))
    row = losses(weights, words, targets, positions if resets_positions else torch.arange(len(words)), allowed)
    return [*torch.split(row, LENGTHS)]


def gradient(rows: list[torch.Tensor], weights: Weights, reduction: str = "global") -> tuple[float, torch.Tensor]:
    """Return the loss and its gradient. The loss is the sum over the global token count, or the mean of row means."""
    whole = torch.cat(rows)
    loss = whole.sum() / sum(LENGTHS) if reduction == "global" else torch.stack([row.mean() for row in rows]).mean()
    slopes = torch.autograd.grad(loss, [*weights.values()])
    return float(loss.detach()), torch.cat([slope.flatten() for slope in slopes])


def fresh() -> Weights:
    return {name: weight.clone().requires_grad_() for name, weight in WEIGHTS.items()}


def test_a_packed_row_has_the_loss_and_the_gradient_of_the_padded_batch() -> None:
    one, other = fresh(), fresh()
    (loss, slope), (same_loss, same_slope) = gradient(padded(one), one), gradient(packed(other), other)

    assert loss == pytest.approx(same_loss)
    torch.testing.assert_close(slope, same_slope)


@pytest.mark.parametrize("bug", ["resets_positions", "sees_neighbors", "keeps_boundary"])
def test_without_a_reset_a_separation_or_a_cut_at_the_boundary_it_has_not(bug: str) -> None:
    one, other = fresh(), fresh()
    settings = {"resets_positions": True, "sees_neighbors": False, "keeps_boundary": False}
    settings[bug] = not settings[bug]
    slope, different = gradient(padded(one), one)[1], gradient(packed(other, **settings), other)[1]

    assert not torch.allclose(slope, different, atol=1e-3)


def test_a_mean_over_packed_rows_weighs_a_token_by_its_neighbors() -> None:
    """Two packed rows: the first sequence alone, and the other two together."""

    def in_rows(groups: list[list[int]]) -> torch.Tensor:
        weights = fresh()
        each = packed(weights)
        return gradient([torch.cat([each[place] for place in group]) for group in groups], weights, "rows")[1]

    weights = fresh()
    exact = gradient(packed(weights), weights)[1]
    assert not torch.allclose(in_rows([[0], [1, 2]]), exact, atol=1e-3)
    assert not torch.allclose(in_rows([[0], [1, 2]]), in_rows([[0, 1], [2]]), atol=1e-3)
