import torch

TOLERANCE = 1e-4


def right_loss(logp, old, advantages, mask, num_tokens):
    ratio = (logp[mask] - old[mask]).exp()
    chosen = advantages[mask]
    return -torch.minimum(ratio * chosen, ratio.clamp(0.8, 1.2) * chosen).sum() / num_tokens


def close(got, want):
    if got is None or got.shape != want.shape:
        return False
    worst = (got.double() - want).abs().max()
    return bool(worst <= TOLERANCE * want.abs().max())


def agrees(fn, logp, old, advantages, mask, num_tokens):
    given = [tensor.clone().requires_grad_() for tensor in (logp, old, advantages)]
    kept = mask.clone()
    leaf = logp.clone().requires_grad_()
    want = right_loss(leaf, old, advantages, mask, num_tokens)
    (want_slope,) = torch.autograd.grad(want, leaf)
    try:
        loss = fn(*given, kept, num_tokens)
        slopes = torch.autograd.grad(loss, given, allow_unused=True)
    except Exception:
        return False
    if not close(loss, want):
        return False
    if slopes[0] is None or slopes[0].isnan().any():
        return False
    parts = slopes[0].flatten().double(), want_slope.flatten()
    if want_slope.any() and torch.cosine_similarity(*parts, dim=0) < 1 - 1e-6:
        return False
    for slope in slopes[1:]:
        if slope is not None and slope.count_nonzero() > 0:
            return False
    for now, before in zip((*given, kept), (logp, old, advantages, mask)):
        if not torch.equal(now.detach().nan_to_num(), before.nan_to_num()):
            return False
    return True


def make(lengths, seed):
    generator = torch.Generator().manual_seed(seed)
    shape = (len(lengths), max(lengths))
    mask = torch.arange(shape[1])[None, :] < torch.tensor(lengths)[:, None]
    old = -3 * torch.rand(shape, generator=generator, dtype=torch.float64)
    logp = old + 5 * torch.rand(shape, generator=generator, dtype=torch.float64) - 2.5
    advantages = 18 * torch.rand(shape, generator=generator, dtype=torch.float64) - 9
    logp[~mask] = old[~mask] = advantages[~mask] = float("nan")
    return logp, old, advantages, mask


def loss_aggregation_invariance_test(fn):
    logp, old, advantages, mask = make([7, 4, 2, 9], 1)
    count = int(mask.sum())
    checks = [agrees(fn, logp, old, advantages, mask, count)]
    checks.append(agrees(fn, logp, old, advantages, mask, 2 * count))
    checks.append(agrees(fn, logp, old, advantages, torch.zeros_like(mask), count))
    checks.append(agrees(fn, logp, old, torch.zeros_like(advantages), mask, count))
    checks.append(agrees(fn, *make([12], 2), 18))
    return all(checks)
