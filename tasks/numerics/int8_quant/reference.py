"""Integers carry the whole product: the scales factor out of the sum, and the zero point needs only row sums of w_q."""

import torch


def int8_quant(x, w):
    """Return the quantized matrices, their scales and zero point, the integer product, and the float product.

    Shapes: x, x_q [M, K]; w, w_q [N, K]; w_scale [N]; acc, out [M, N].
    Source: arXiv:2004.09602, section 3; zero points: arXiv:1712.05877, section 2.3.
    """
    # A range that includes 0 keeps the zero point within int8, so padding and ReLU zeros are represented exactly.
    low, high = x.min().clamp(max=0), x.max().clamp(min=0)
    x_scale = (high - low) / 255 if high > low else torch.tensor(1.0)
    x_zero = int(torch.round(-128 - low / x_scale))
    # The clamp is needed: if the zero point and the largest element are both rounded up, their sum is 128.
    x_q = (torch.round(x / x_scale) + x_zero).clamp(-128, 127).to(torch.int8)

    largest = w.abs().amax(dim=1)
    w_scale = torch.where(largest > 0, largest / 127, 1.0)
    w_q = torch.round(w / w_scale[:, None]).to(torch.int8)

    acc = x_q.int() @ w_q.int().T
    corrected = acc - x_zero * w_q.sum(dim=1, dtype=torch.int32)
    return {
        "x_q": x_q,
        "x_scale": float(x_scale),
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale,
        "acc": acc,
        "out": corrected * x_scale * w_scale,
    }
