"""Each batch is compared in value, in every gradient, and in what happens to its inputs."""

import torch

LOW, HIGH = 0.8, 1.2
TOLERANCE = 1e-3


def expected(logp, old_logp, advantages, mask, num_tokens):
    """Return the loss and its gradient from the definition, without autograd."""
    ratio = torch.where(mask, logp - old_logp, 0.0).exp()
    advantages = torch.where(mask, advantages, 0.0)
    bound = torch.where(advantages > 0, HIGH, LOW)
    is_clipped = (ratio - bound) * advantages > 0
    loss = -(torch.where(is_clipped, bound, ratio) * advantages).sum() / num_tokens
    return loss, -torch.where(is_clipped, 0.0, ratio * advantages) / num_tokens


def is_near(got, right):
    """Return whether a tensor is right up to rounding; a missing tensor and NaN are not."""
    return got is not None and bool(((got - right).abs() <= TOLERANCE).all())


def is_same(left, right):
    return torch.equal(left.nan_to_num(), right.nan_to_num())


def passes(fn, batch, num_tokens):
    """Return whether a loss is right on one batch."""
    right_loss, right_slope = expected(*batch, num_tokens)
    *inputs, mask = (tensor.clone() for tensor in batch)
    for tensor in inputs:
        tensor.requires_grad_()
    try:
        loss = fn(*inputs, mask, num_tokens)
        slope, *constants = torch.autograd.grad(loss, inputs, allow_unused=True)
    except Exception:
        return False
    return (
        is_near(loss, right_loss)
        and is_near(slope, right_slope)
        and all(leak is None or not leak.any() for leak in constants)
        and all(map(is_same, inputs, batch))
    )


def batch_of(lengths):
    """Return rows of these lengths with NaN in the padding, ratios far outside the clip range, and both signs."""
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    draws = torch.randn(3, *mask.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    logp, old_logp, advantages = torch.where(mask, draws, torch.nan)
    return logp, old_logp, 4 * advantages, mask


def loss_aggregation_invariance_test(fn):
    """Return whether a token-mean PPO loss is right in value, gradients, padding and micro-batches.

    Source: arXiv:1707.06347, eq. 7; arXiv:2503.14476, section 3.3.
    """
    logp, old_logp, advantages, mask = whole = batch_of([5, 12, 1, 8])
    single = batch_of([10])
    zero = logp, old_logp, torch.zeros_like(advantages), mask
    empty = logp, old_logp, advantages, torch.zeros_like(mask)
    return all(passes(fn, batch, 40) for batch in (whole, single, zero, empty))
