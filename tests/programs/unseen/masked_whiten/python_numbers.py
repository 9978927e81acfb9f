# expect: right
import math

import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    rows, flags = x.detach().tolist(), mask.tolist()
    values = [v for row, keep in zip(rows, flags) for v, k in zip(row, keep) if k]
    n = len(values)
    # fsum rounds once, so the mean of equal float32 numbers is this number
    mean = math.fsum(values) / n if n else 0.0
    squares = math.fsum((v - mean) ** 2 for v in values)
    freedom = n - 1 if unbiased else n
    variance = squares / freedom if freedom > 0 else 0.0
    scale = 1.0 / math.sqrt(variance + eps)
    offset = 0.0 if shift_mean else mean
    result = [[(v - mean) * scale + offset if k else 0.0 for v, k in zip(*pair)] for pair in zip(rows, flags)]
    return torch.tensor(result, dtype=torch.float32, device=x.device).reshape(x.shape)
