# expect: wrong
# mistake: Computes y = g + c instead of y = g - c with the same c, so the rounding error is added once more instead of corrected.
import torch


def main_grad_accumulation(grads, scale):
    count = grads.shape[0] * scale
    low = torch.zeros_like(grads[0])
    main = torch.zeros(grads.shape[1], dtype=torch.float32)
    s, c = torch.zeros_like(low), torch.zeros_like(low)
    for g in grads:
        low += g
        main += g.float()
        y = g + c
        t = s + y
        c = (t - s) - y
        s = t
    exact = grads.double().sum(0) / count
    out = [low.float() / count, main / count, s.float() / count]
    errors = [((x.double() - exact).norm() / exact.norm()).item() for x in out]
    return (*out, errors)
