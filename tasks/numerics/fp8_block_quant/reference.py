"""A block's scale depends only on its own elements, so an outlier reduces the precision of no other block."""

import torch
from torch.nn import functional as F

FORMATS = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    """Return the rounded elements, the scale of each block and the approximation of x, in float32.

    Shapes: x, q, back [M, N]; scale [ceil(M / rows), ceil(N / columns)].
    Source: arXiv:2209.05433, section 3; blocks: arXiv:2412.19437, section 3.3.
    """
    rows, columns = block
    exact = x.float()
    padded = F.pad(exact, (0, -x.shape[1] % columns, 0, -x.shape[0] % rows))
    tiles = padded.unflatten(1, (-1, columns)).unflatten(0, (-1, rows))
    largest = tiles.abs().amax(dim=(1, 3))
    scale = torch.where(largest > 0, torch.finfo(FORMATS[fmt]).max / largest, 1.0)
    if pow2:
        scale = scale.log2().floor().exp2()
    by_element = scale.repeat_interleave(rows, 0).repeat_interleave(columns, 1)[: x.shape[0], : x.shape[1]]
    # No clamp: a scaled magnitude exceeds the largest number by at most a rounding error, and is rounded to it.
    q = (exact * by_element).to(FORMATS[fmt]).float()
    return q, scale, q / by_element
