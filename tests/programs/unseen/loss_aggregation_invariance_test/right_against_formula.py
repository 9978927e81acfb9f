# expect: right
import torch

TOL = 1e-3


def _reference(lp, old, adv, mask, n):
    """Loss, gradient with respect to logp, and S, in float64, by hand."""
    lp, old, adv = lp.double(), old.double(), adv.double()
    zero = torch.zeros_like(lp)
    ratio = torch.where(mask, lp - old, zero).exp()
    a = torch.where(mask, adv, zero)
    plain, clipped = ratio * a, ratio.clamp(0.8, 1.2) * a
    obj = torch.minimum(plain, clipped)
    flows = ((a > 0) & (ratio <= 1.2)) | ((a < 0) & (ratio >= 0.8))
    grad = torch.where(flows & mask, -plain / n, zero)
    return -obj.sum() / n, grad, obj.abs().sum() / n


def _same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and bool(((x == y) | ((x != x) & (y != y))).all())


def _ok(fn, lp, old, adv, mask, n, needs):
    want, want_grad, size = _reference(lp, old, adv, mask, n)
    args = [x.clone().requires_grad_(r) for x, r in zip((lp, old, adv), needs)]
    m = mask.clone()
    loss = fn(*args, m, n)
    if not isinstance(loss, torch.Tensor) or loss.dim() != 0 or not loss.is_floating_point():
        return False
    for x, y, r in zip(args, (lp, old, adv), needs):
        if not _same(x.detach(), y) or x.requires_grad != r or x.grad is not None:
            return False
    if not _same(m, mask):
        return False
    limit = TOL * size.item()
    if not abs(loss.item() - want.item()) <= limit:
        return False
    if loss.requires_grad:
        loss.backward()
    elif needs[0]:
        return False
    if needs[0]:
        if args[0].grad is None:
            return False
        if not bool(((args[0].grad.double() - want_grad).abs() <= limit).all()):
            return False
    for x in args[1:]:
        if x.grad is not None and not bool((x.grad == 0).all()):
            return False
    return all(_same(x.detach(), y) for x, y in zip(args, (lp, old, adv))) and _same(m, mask)


def _cases():
    g = torch.Generator().manual_seed(0)

    def rand(*shape):
        return torch.rand(*shape, generator=g, dtype=torch.float64)

    logs = [-2.9, -1.5, -0.7, -0.26, -0.225, -0.221, -0.15, 0.0, 0.1, 0.18, 0.184, 0.2, 0.5, 1.0, 1.3, 2.0, 2.9]
    # one token alone, and one unmasked token among masked ones
    for d in logs:
        for a in (20.0, 4.0, 0.3, 1e-4, 0.0, -1e-4, -0.3, -4.0, -20.0):
            old = torch.tensor([[-3.0]], dtype=torch.float64)
            yield old + d, old, torch.full_like(old, a), torch.ones(1, 1, dtype=torch.bool), 1, None
    bad = [float("nan"), float("inf"), float("-inf"), 0.0, 50.0, -300.0, 1e30]
    poisons, turn = (None, "logp", "old", "adv", "all"), 0
    shapes = [(1, 1), (1, 6), (5, 1), (2, 3), (4, 9), (3, 40), (8, 17), (1, 200)]
    for B, T in shapes:
        for kind in ("all", "random", "prefix", "empty", "rows", "one"):
            mask = torch.zeros(B, T, dtype=torch.bool)
            if kind == "all":
                mask[:] = True
            elif kind == "random":
                mask = rand(B, T) < 0.6
            elif kind == "prefix":
                mask = torch.arange(T) < (rand(B, 1) * (T + 1)).floor()
            elif kind == "rows":
                mask[:: 2] = True
            elif kind == "one":
                mask[int(rand(1) * B), int(rand(1) * T)] = True
            own = max(1, int(mask.sum()))
            for n in (own, (own + 1, 3 * own + 5, 10000)[turn % 3]):
                for amp, spread in ((1.0, 0.2), (20.0, 2.9), (1e-3, 0.6)):
                    old = -18 + 15 * rand(B, T)
                    d = (2 * rand(B, T) - 1) * spread
                    r = d.exp()
                    near = ((r - 0.8).abs() < 1e-3) | ((r - 1.2).abs() < 1e-3)
                    d = torch.where(near, torch.zeros_like(d), d)
                    lp = old + d
                    adv = (2 * rand(B, T) - 1) * amp
                    poison = poisons[turn % 5]
                    turn += 1
                    yield lp, old, adv, mask, n, (poison, bad, rand)


def loss_aggregation_invariance_test(fn) -> bool:
    needs_list = [(True, False, False), (True, True, True), (False, False, False), (False, True, False)]
    k = 0
    try:
        for lp, old, adv, mask, n, extra in _cases():
            if extra is not None and extra[0] is not None:
                poison, bad, rand = extra
                values = torch.tensor(bad, dtype=torch.float64)
                out = []
                for name, x in (("logp", lp), ("old", old), ("adv", adv)):
                    pick = values[(rand(*x.shape) * len(bad)).long()]
                    out.append(torch.where(mask, x, pick) if poison in (name, "all") else x)
                lp, old, adv = out
            for dtype in (torch.float32, torch.float64):
                x = [v.to(dtype).contiguous() for v in (lp, old, adv)]
                for needs in (needs_list[0], needs_list[1 + k % 3]):
                    if not _ok(fn, *x, mask, n, needs):
                        return False
                k += 1
    except Exception:
        return False
    return True
