# expect: wrong
# mistake: Two mistakes: it divides the 16-bit sums by M * scale before it converts them to float32, and the error is the mean of the relative errors of the elements (those with exact 0 left out) instead of a ratio of L2 norms.
import torch


def main_grad_accumulation(grads, scale):
    n_micro = grads.shape[0]
    low = grads.new_zeros(grads.shape[1])
    s, c = low.clone(), low.clone()
    main = low.float()
    for g in grads.unbind(0):
        low = low + g
        main = main + g.float()
        y = g - c
        t = s + y
        c = (t - s) - y
        s = t
    denom = n_micro * scale
    low = (low / denom).float()
    kahan = (s / denom).float()
    main = main / denom
    exact = grads.double().sum(0) / denom
    keep = exact != 0

    def error(x):
        return ((x.double() - exact).abs()[keep] / exact.abs()[keep]).mean().item()

    return low, main, kahan, [error(low), error(main), error(kahan)]
