# expect: wrong
# mistake: The test demands that old_logp and advantages get no gradient at all, so a right loss that gives them a gradient of zeros is judged wrong.
import torch


class Checker:
    def __init__(self, fn, seed=11):
        self.fn = fn
        self.g = torch.Generator().manual_seed(seed)

    def uniform(self, lo, hi, shape):
        return lo + (hi - lo) * torch.rand(shape, generator=self.g, dtype=torch.float64)

    def make(self, shape, spread, scale, keep):
        old = self.uniform(-16, -4, shape)
        delta = self.uniform(-spread, spread, shape)
        ratio = delta.exp()
        edge = ((ratio - 0.8).abs() < 2e-3) | ((ratio - 1.2).abs() < 2e-3)
        delta = delta.masked_fill(edge, 0.05)
        mask = self.uniform(0, 1, shape) < keep
        return old + delta, old, self.uniform(-scale, scale, shape), mask

    def reference(self, logp, old, adv, mask, n):
        keep = lambda x: torch.where(mask, x.double(), 0.0)
        lp = keep(logp).requires_grad_(True)
        ratio = (lp - keep(old)).exp()
        obj = torch.minimum(ratio * keep(adv), ratio.clamp(0.8, 1.2) * keep(adv)) * mask
        loss = -obj.sum() / n
        (grad,) = torch.autograd.grad(loss, lp)
        return loss.item(), grad, (obj.detach().abs().sum() / n).item()

    def once(self, logp, old, adv, mask, n, grads):
        originals = (logp, old, adv, mask)
        args = [x.clone() for x in originals]
        for x, need in zip(args, grads):
            x.requires_grad_(need)
        loss = self.fn(*args, n)
        want, want_grad, size = self.reference(logp, old, adv, mask, n)
        if loss.shape != torch.Size([]):
            return False
        if not abs(loss.item() - want) <= 1e-3 * size:
            return False
        if grads[0]:
            loss.backward()
            diff = (args[0].grad.double() - want_grad).abs()
            if not (diff <= 1e-3 * size).all():
                return False
        for x in args[1:3]:
            if x.grad is not None:
                return False
        return all(torch.equal(x.detach().nan_to_num(123.0), y.nan_to_num(123.0)) for x, y in zip(args[:3], originals)) and torch.equal(args[3], mask)

    def run(self):
        shapes = [(1, 1), (1, 7), (4, 1), (3, 5), (2, 30)]
        for i in range(160):
            shape = shapes[i % len(shapes)]
            spread = (0.15, 0.7, 2.9)[i % 3]
            scale = (1.0, 20.0, 0.05, 0.0)[i % 4]
            keep = (1.1, 0.5, 0.5, -0.1, 0.2, 0.8, 0.5)[i % 7]
            logp, old, adv, mask = self.make(shape, spread, scale, keep)
            if i % 2:
                junk = torch.tensor([float("nan"), float("inf"), float("-inf"), 1e20], dtype=torch.float64)
                pick = lambda: junk[torch.randint(4, shape, generator=self.g)]
                logp, old, adv = (torch.where(mask, x, pick()) for x in (logp, old, adv))
            n = max(1, int(mask.sum())) + (0, 1, 9, 1000)[(i // 2) % 4]
            dtype = torch.float32 if (i // 3) % 2 else torch.float64
            data = [x.to(dtype) for x in (logp, old, adv)]
            for grads in ((True, False, False), (True, True, True), (False, False, False)):
                if not self.once(*data, mask, n, (*grads, False)[:3]):
                    return False
        return True


def loss_aggregation_invariance_test(fn) -> bool:
    try:
        return bool(Checker(fn).run())
    except Exception:
        return False
