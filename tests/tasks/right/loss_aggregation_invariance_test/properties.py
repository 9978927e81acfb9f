import torch


def sample(seed, lengths):
    g = torch.Generator().manual_seed(seed)
    shape = len(lengths), max(lengths)
    uniform = torch.rand(3, *shape, generator=g)
    old = -5 * uniform[0] - 3
    logp = old + 5.6 * uniform[1] - 2.8
    advantages = 18 * uniform[2] - 9
    mask = torch.tensor([[t < n for t in range(shape[1])] for n in lengths])
    return logp, old, advantages, mask


def measure(fn, logp, old, advantages, mask, num_tokens, junk=float("nan")):
    """Return loss and gradient, or None if fn raises, changes its inputs, or sends gradients to constants."""
    before = [torch.where(mask, x, junk) for x in (logp, old, advantages)]
    given = [x.clone().requires_grad_() for x in before]
    given_mask = mask.clone()
    try:
        loss = fn(*given, given_mask, num_tokens)
        loss.backward()
    except Exception:
        return None
    if given[0].grad is None or not loss.isfinite() or not given[0].grad.isfinite().all():
        return None
    if any(x.grad is not None and x.grad.abs().max() > 0 for x in given[1:]):
        return None
    pairs = zip([*given, given_mask], [*before, mask], strict=True)
    if not all(torch.equal(a.detach().nan_to_num(1.0), b.nan_to_num(1.0)) for a, b in pairs):
        return None
    return float(loss.detach()), given[0].grad.float()


def one_token(fn, logp, old, advantages):
    """Check single tokens against the definition, one at a time."""
    for log_ratio, a in [(1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0), (2.9, -6.0), (-2.9, 6.0), (0.1, 9.0)]:
        tokens = torch.tensor([[log_ratio]]) + old, old, torch.tensor([[a]])
        got = measure(fn, *tokens, torch.tensor([[True]]), 1)
        if got is None:
            return False
        ratio = 2.718281828459045**log_ratio
        clipped = min(max(ratio, 0.8), 1.2)
        value = min(ratio * a, clipped * a)
        slope = ratio * a if ratio * a <= clipped * a else 0.0
        scale = 1e-4 * abs(value)
        if not abs(got[0] + value) <= scale or not abs(float(got[1]) + slope) <= scale:
            return False
    return True


def loss_aggregation_invariance_test(fn):
    """The loss of a batch is the sum over its tokens, each measured as a batch of its own."""
    if not one_token(fn, *(torch.zeros(1, 1) - 2 for _ in range(3))):
        return False
    for seed, lengths in enumerate([[4, 9, 1], [7], [1, 1, 1, 1], [5, 5]]):
        logp, old, advantages, mask = sample(seed, lengths)
        for num_tokens in (int(mask.sum()), 30):
            whole = measure(fn, logp, old, advantages, mask, num_tokens)
            if whole is None:
                return False
            total, size, slopes = 0.0, 1e-9, torch.zeros_like(logp)
            for i, t in mask.nonzero().tolist():
                cell = slice(i, i + 1), slice(t, t + 1)
                part = measure(fn, logp[cell], old[cell], advantages[cell], mask[cell], 1)
                if part is None:
                    return False
                total += part[0] / num_tokens
                size += abs(part[0]) / num_tokens
                slopes[i, t] = part[1].item() / num_tokens
            if abs(whole[0] - total) > 1e-3 * size or (whole[1] - slopes).abs().max() > 1e-3 * size:
                return False
        zero = measure(fn, logp, old, torch.zeros_like(logp), mask, 8)
        empty = measure(fn, logp, old, advantages, torch.zeros_like(mask), 8, junk=float("inf"))
        for result in (zero, empty):
            if result is None or result[0] != 0 or result[1].any():
                return False
    return True
