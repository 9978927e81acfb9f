# expect: wrong
# mistake: Computes low with one call of sum on the 16-bit tensor, which accumulates in float32 and rounds once, instead of rounding after every addition.
import torch


def main_grad_accumulation(grads, scale):
    m, n = grads.shape

    def mean(total):
        return total.float() / (m * scale)

    low = mean(grads.sum(dim=0))
    main = torch.zeros(n)
    for row in grads:
        main += row.float()
    main = mean(main)
    s = torch.zeros(n, dtype=grads.dtype)
    c = torch.zeros(n, dtype=grads.dtype)
    for row in grads:
        y = row - c
        t = s + y
        c = t - s - y
        s = t
    kahan = mean(s)
    exact = grads.double().mean(dim=0) / scale
    errors = [float(torch.dist(x.double(), exact) / exact.norm()) for x in (low, main, kahan)]
    return low, main, kahan, errors
