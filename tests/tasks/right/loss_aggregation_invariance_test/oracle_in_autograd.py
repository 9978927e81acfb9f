import itertools

import torch


def oracle(logp, old_logp, advantages, mask, num_tokens):
    logp, old_logp, advantages = (x.masked_fill(~mask, 0.0) for x in (logp, old_logp, advantages))
    r = torch.exp(logp - old_logp)
    return -torch.min(r * advantages, r.clamp(0.8, 1.2) * advantages).masked_fill(~mask, 0.0).sum() / num_tokens


def run(f, batch, num_tokens):
    x = [t.clone() for t in batch]
    for t in x[:3]:
        t.requires_grad_()
    loss = f(*x, num_tokens)
    grads = torch.autograd.grad(loss, x[:3], allow_unused=True)
    same = all(torch.allclose(a, b, rtol=0, atol=0, equal_nan=True) for a, b in zip(x[:3], batch[:3], strict=True))
    return loss.detach().double(), grads, same and torch.equal(x[3], batch[3])


def loss_aggregation_invariance_test(fn):
    torch.manual_seed(11)
    shapes, garbage = [(1, 6), (6, 1), (5, 7), (2, 3)], [float("nan"), float("inf"), 1e6]
    for (rows, steps), junk, kind in itertools.product(shapes, garbage, ("some", "all", "none", "zero")):
        old = -4 * torch.rand(rows, steps, dtype=torch.float64) - 3
        logp = old + 5.8 * torch.rand(rows, steps, dtype=torch.float64) - 2.9
        advantages = 19 * torch.rand(rows, steps, dtype=torch.float64) - 9.5
        mask = torch.rand(rows, steps) < 0.6
        if kind != "some":
            mask = torch.full_like(mask, kind != "none")
        if kind == "zero":
            advantages.zero_()
        batch = [t.masked_fill(~mask, junk) for t in (logp, old, advantages)] + [mask]
        for num_tokens in (max(1, int(mask.sum())), 3 * rows * steps):
            want, (want_grad, _, _), _ = run(oracle, batch, num_tokens)
            try:
                got, (grad, *leaks), is_unchanged = run(fn, batch, num_tokens)
            except Exception:
                return False
            tolerance = 1e-4
            is_right = (
                torch.allclose(got, want, rtol=tolerance, atol=tolerance)
                and grad is not None
                and torch.allclose(grad.double(), want_grad, rtol=tolerance, atol=tolerance)
                and not any(leak is not None and bool((leak != 0).any()) for leak in leaks)
                and is_unchanged
            )
            if not is_right:
                return False
    return True
