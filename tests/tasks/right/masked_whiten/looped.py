import math

import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    rows, keep = x.tolist(), mask.tolist()
    values = [v for row, flags in zip(rows, keep, strict=True) for v, flag in zip(row, flags, strict=True) if flag]
    count = len(values)
    mean = math.fsum(values) / count if count else 0.0
    if count and min(values) == max(values):
        mean = values[0]
    squares = math.fsum((v - mean) ** 2 for v in values)
    scale = 1 / math.sqrt(squares / max(count - unbiased, 1) + eps)
    for row, flags in zip(rows, keep, strict=True):
        for t, flag in enumerate(flags):
            row[t] = (row[t] - mean) * scale + (0.0 if shift_mean else mean) if flag else 0.0
    return torch.tensor(rows, dtype=x.dtype, device=x.device)
