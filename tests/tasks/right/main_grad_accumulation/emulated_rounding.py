from functools import reduce

import torch


def main_grad_accumulation(grads, scale):
    """All arithmetic is in float64; a function rounds each result to the dtype of the buffer."""
    kind = grads.dtype
    rows = list(grads.to(torch.float64))

    def to_kind(x):
        return x.to(torch.float32).to(kind).to(torch.float64)

    def kahan_step(state, g):
        s, c = state
        y = to_kind(g - c)
        t = to_kind(s + y)
        return t, to_kind(to_kind(t - s) - y)

    zero = torch.zeros_like(rows[0])
    sums = (
        reduce(lambda total, g: to_kind(total + g), rows, zero),
        reduce(lambda total, g: (total + g).to(torch.float32).to(torch.float64), rows, zero),
        reduce(kahan_step, rows, (zero, zero))[0],
    )
    exact = sum(rows) / len(rows) / scale
    means = [(total.to(torch.float32) / (len(rows) * scale)).to(torch.float32) for total in sums]
    errors = []
    for mean in means:
        difference = mean.to(torch.float64) - exact
        errors.append(float(torch.sqrt(difference @ difference) / torch.sqrt(exact @ exact)))
    return means[0], means[1], means[2], errors
