import math

import torch


def accumulate(column, dtype):
    """Return the plain sum and the Kahan sum of a list of numbers, as zero-dimensional tensors."""
    plain = torch.tensor(0.0, dtype=dtype)
    s, c = torch.tensor(0.0, dtype=dtype), torch.tensor(0.0, dtype=dtype)
    for g in column:
        plain = plain + g
        y = g - c
        t = s + y
        s, c = t, t - s - y
    return plain, s


def main_grad_accumulation(grads, scale):
    count = grads.size(0)
    lows, mains, kahans, exacts = [], [], [], []
    for column in grads.unbind(1):
        low, kahan = accumulate(column, grads.dtype)
        main, _ = accumulate(column.float(), torch.float32)
        lows.append(low)
        mains.append(main)
        kahans.append(kahan)
        exacts.append(math.fsum(column.tolist()) / count / scale)
    norm = math.sqrt(math.fsum(x * x for x in exacts))
    results, errors = [], []
    for totals in (lows, mains, kahans):
        mean = torch.stack(totals).float() / (count * scale)
        squares = [(a - b) * (a - b) for a, b in zip(mean.tolist(), exacts, strict=True)]
        results.append(mean)
        errors.append(math.sqrt(sum(squares)) / norm)
    return (*results, errors)
