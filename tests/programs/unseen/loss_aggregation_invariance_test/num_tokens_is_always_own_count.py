# expect: wrong
# mistake: num_tokens is always the number of unmasked tokens of the call itself, so a loss that divides by mask.sum() instead of num_tokens is judged right.
import torch


def expected(logp, old_logp, advantages, mask, num_tokens):
    x = torch.where(mask, logp, 0.0).double()
    y = torch.where(mask, old_logp, 0.0).double()
    a = torch.where(mask, advantages, 0.0).double()
    ratio = torch.exp(x - y)
    return -torch.minimum(ratio * a, ratio.clamp(0.8, 1.2) * a)[mask].sum() / num_tokens


def check(fn, logp, old_logp, advantages, mask):
    num_tokens = max(1, int(mask.sum()))
    inputs = [t.clone().requires_grad_(True) for t in (logp, old_logp, advantages)]
    copies = [t.detach().clone() for t in inputs] + [mask.clone()]

    loss = fn(*inputs, mask, num_tokens)
    if loss.dim() != 0:
        return False
    for now, before in zip(inputs + [mask], copies):
        if not torch.equal(torch.nan_to_num(now.detach().double()), torch.nan_to_num(before.double())):
            return False
    (grad,) = torch.autograd.grad(loss, inputs[0], retain_graph=True)
    consts = torch.autograd.grad(loss, inputs[1:], allow_unused=True)
    if any(c is not None and not (c == 0).all() for c in consts):
        return False

    ref_in = copies[0].clone().requires_grad_(True)
    ref = expected(ref_in, copies[1], copies[2], mask, num_tokens)
    (ref_grad,) = torch.autograd.grad(ref, ref_in)
    with torch.no_grad():
        a = torch.where(mask, copies[2], 0.0).double()
        r = torch.exp(torch.where(mask, copies[0], 0.0).double() - torch.where(mask, copies[1], 0.0).double())
        S = torch.minimum(r * a, r.clamp(0.8, 1.2) * a).abs().sum() / num_tokens
    tol = 1e-3 * S
    return bool((loss.double() - ref).abs() <= tol) and bool(((grad - ref_grad).abs() <= tol).all())


def loss_aggregation_invariance_test(fn) -> bool:
    gen = torch.Generator().manual_seed(7)
    try:
        for trial in range(150):
            B = 1 + trial % 4
            T = 1 + (trial // 4) % 9
            dtype = torch.float64 if trial % 2 else torch.float32
            old = -10 * torch.rand(B, T, generator=gen)
            logr = 2.9 * (2 * torch.rand(B, T, generator=gen) - 1) * (0.15 if trial % 3 else 1.0)
            r = logr.exp()
            logr[((r - 0.8).abs() < 0.001) | ((r - 1.2).abs() < 0.001)] = 0.0
            adv = torch.randn(B, T, generator=gen).clamp(-3, 3) * (6 if trial % 5 == 0 else 1)
            mask = torch.rand(B, T, generator=gen) < (0.6, 1.1, 0.3, -1.0)[trial % 4 if trial % 7 else 3]
            logp = old + logr
            if trial % 3 == 1:
                junk = (float("nan"), float("inf"), float("-inf"))[(trial // 3) % 3]
                logp, old, adv = (t.masked_fill(~mask, junk) for t in (logp, old, adv))
            if not check(fn, logp.to(dtype), old.to(dtype), adv.to(dtype), mask):
                return False
        return True
    except Exception:
        return False
