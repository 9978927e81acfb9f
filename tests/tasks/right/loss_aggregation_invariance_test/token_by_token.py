import math

import torch


def objective(log_ratio, advantage):
    """Return the clipped objective of one token and its derivative with respect to logp."""
    ratio = math.exp(log_ratio)
    if advantage > 0 and ratio > 1.2:
        return 1.2 * advantage, 0.0
    if advantage < 0 and ratio < 0.8:
        return 0.8 * advantage, 0.0
    return ratio * advantage, ratio * advantage


def batches():
    # (log ratio, advantage) for each unmasked token; None is padding.
    mixed = [(2.0, 7.0), (2.0, -7.0), (-2.0, 5.0), (-2.0, -5.0), (0.1, 3.0), (-0.1, -8.0), (0.25, 6.0), (-0.3, -6.0)]
    short = [(1.5, -2.0), (-0.05, 4.0), (2.5, -9.0)]
    one = [(-1.1, 2.5)]
    yield [mixed, short, one], 12
    yield [one, mixed, short], 37
    yield [mixed], 20
    yield [short + [None] * 2], 3
    yield [[None] * 4, [None] * 4], 9
    yield [[(x, 0.0) for x, _ in mixed], [(0.3, 0.0)]], 9


def tensors(rows):
    width = max(map(len, rows))
    logp = torch.full((len(rows), width), math.nan, dtype=torch.float64)
    old, advantages = logp.clone(), logp.clone()
    mask = torch.zeros(len(rows), width, dtype=torch.bool)
    for i, row in enumerate(rows):
        for j, token in enumerate(row):
            if token is not None:
                old[i, j] = -1.0 - 0.1 * j
                logp[i, j] = old[i, j] + token[0]
                advantages[i, j] = token[1]
                mask[i, j] = True
    return logp, old, advantages, mask


def is_right_on(fn, rows, num_tokens):
    originals = tensors(rows)
    logp, old, advantages, mask = (tensor.clone() for tensor in originals)
    for tensor in (logp, old, advantages):
        tensor.requires_grad_(True)
    fn(logp, old, advantages, mask, num_tokens).backward()
    loss = fn(logp, old, advantages, mask, num_tokens)
    size = 1e-12
    want_loss, want = 0.0, torch.zeros_like(logp)
    for i, j in originals[3].nonzero().tolist():
        value, slope = objective(float((originals[0] - originals[1])[i, j]), float(originals[2][i, j]))
        want_loss -= value / num_tokens
        want[i, j] = -slope / num_tokens
        size += abs(value) / num_tokens
    if not abs(float(loss.detach()) - want_loss) <= 1e-3 * size:
        return False
    if logp.grad is None or not ((logp.grad - want).abs() <= 1e-3 * size).all():
        return False
    if any(x.grad is not None and x.grad.ne(0).any() for x in (old, advantages)):
        return False
    after = (logp, old, advantages, mask)
    return all(torch.equal(a.detach().nan_to_num(77), b.nan_to_num(77)) for a, b in zip(after, originals, strict=True))


def loss_aggregation_invariance_test(fn):
    for rows, num_tokens in batches():
        try:
            if not is_right_on(fn, rows, num_tokens):
                return False
        except Exception:
            return False
    return True
