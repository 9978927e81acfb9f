# expect: wrong
# mistake: The returned scale is largest magnitude divided by largest number, the factor for dequantization, instead of the factor by which elements are multiplied before rounding.
import math

import torch


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    f8 = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    limit = torch.finfo(f8).max
    x = x.float()
    rows, cols = x.shape
    br, bc = block
    nr, nc = math.ceil(rows / br), math.ceil(cols / bc)
    scale = torch.ones(nr, nc)
    q = torch.zeros(rows, cols)
    back = torch.zeros(rows, cols)
    for i in range(nr):
        for j in range(nc):
            rs, cs = slice(i * br, (i + 1) * br), slice(j * bc, (j + 1) * bc)
            tile = x[rs, cs]
            amax = tile.abs().max()
            if amax == 0:
                continue
            factor = limit / amax
            if pow2:
                m, e = torch.frexp(factor)
                factor = factor / (2 * m)
            s = 1.0 / factor
            scale[i, j] = s
            q[rs, cs] = (tile * factor).to(f8).float()
            back[rs, cs] = q[rs, cs] * s
    return q, scale, back
