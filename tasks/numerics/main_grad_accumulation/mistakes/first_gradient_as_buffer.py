import torch


def relative_error(x, exact):
    return ((x.double() - exact).square().sum().sqrt() / exact.square().sum().sqrt()).item()


def main_grad_accumulation(grads, scale):
    count, size = grads.shape
    low = torch.zeros(size, dtype=grads.dtype)
    main = torch.zeros(size)
    s, c = torch.zeros(size, dtype=grads.dtype), torch.zeros(size, dtype=grads.dtype)
    exact = grads.double().mean(0) / scale
    low = grads[0]
    for i, g in enumerate(grads.clone()):
        if i > 0:
            low += g
        main = main + g.float()
        y = g - c
        t = s + y
        c = (t - s) - y
        s = t
    low, main, kahan = low.float() / (count * scale), main / (count * scale), s.float() / (count * scale)
    errors = [relative_error(x, exact) for x in (low, main, kahan)]
    return low, main, kahan, errors
