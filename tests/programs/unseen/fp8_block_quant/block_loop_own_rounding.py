# expect: right
import math

import torch


def round_to_format(v, mantissa_bits, lowest_exponent, largest):
    """Round to the nearest number of a small floating-point format, ties to even, subnormals included."""
    _, exponent = torch.frexp(v)
    step_exponent = (exponent - 1).clamp(min=lowest_exponent) - mantissa_bits
    step = torch.ldexp(torch.ones_like(v), step_exponent)
    return (torch.round(v / step) * step).clamp(-largest, largest)


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (q, scale, back), all float32: q and back [M, N], scale with one number for each block."""
    layout = {"e4m3": (3, -6, 448.0), "e5m2": (2, -14, 57344.0)}[fmt]
    largest = layout[2]
    x = x.detach().float()
    m, n = x.shape
    bm, bn = block
    q, back = torch.zeros(m, n), torch.zeros(m, n)
    scale = torch.ones(math.ceil(m / bm), math.ceil(n / bn))
    for i in range(scale.shape[0]):
        for j in range(scale.shape[1]):
            here = (slice(i * bm, (i + 1) * bm), slice(j * bn, (j + 1) * bn))
            part = x[here]
            top = part.abs().max()
            if top > 0:
                factor = largest / top
                if pow2:
                    factor = torch.tensor(2.0 ** (math.frexp(factor.item())[1] - 1))
                scale[i, j] = factor
            q[here] = round_to_format(part * scale[i, j], *layout)
            back[here] = q[here] / scale[i, j]
    return q, scale, back
