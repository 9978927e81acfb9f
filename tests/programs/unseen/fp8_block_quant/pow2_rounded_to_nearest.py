# expect: wrong
# mistake: With pow2 the exponent of the scale is rounded to the nearest integer, so the scale may exceed the exact factor and large elements saturate.
import torch


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    f8 = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}[fmt]
    fp8_max = torch.finfo(f8).max
    xf = x.to(torch.float32)
    M, N = xf.shape
    bm, bn = block
    row_id = torch.arange(M) // bm
    col_id = torch.arange(N) // bn
    R, Cc = -(-M // bm), -(-N // bn)

    amax = torch.zeros(R * Cc)
    flat_id = (row_id[:, None] * Cc + col_id[None, :]).reshape(-1)
    amax.scatter_reduce_(0, flat_id, xf.abs().reshape(-1), reduce="amax")
    amax = amax.reshape(R, Cc)

    nonzero = amax > 0
    scale = torch.where(nonzero, fp8_max / amax.masked_fill(~nonzero, 1.0), torch.ones_like(amax))
    if pow2:
        scale = torch.pow(2.0, torch.round(torch.log2(scale)))
    s = scale[row_id][:, col_id]
    q = (xf * s).clamp(-fp8_max, fp8_max).to(f8).to(torch.float32)
    return q, scale, q / s
