# expect: wrong
# mistake: In a block of zeros the largest magnitude is replaced by 1, so its scale is the largest number of the format (or its power of two) instead of 1.
import torch
from torch.nn.functional import pad


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    if fmt == "e4m3":
        f8, vmax = torch.float8_e4m3fn, 448.0
    elif fmt == "e5m2":
        f8, vmax = torch.float8_e5m2, 57344.0
    else:
        raise ValueError(fmt)

    M, N = x.shape
    bm, bn = block
    xf = x.float()
    pm, pn = (-M) % bm, (-N) % bn
    xp = pad(xf, (0, pn, 0, pm))
    tiles = xp.view(xp.shape[0] // bm, bm, xp.shape[1] // bn, bn)

    amax = tiles.abs().amax(dim=(1, 3), keepdim=True)
    amax = torch.where(amax > 0, amax, torch.ones_like(amax))
    scale = vmax / amax
    if pow2:
        mant, exp = torch.frexp(scale)
        scale = scale / mant * 0.5
    q = (tiles * scale).to(f8).float()
    back = q / scale
    q = q.reshape(xp.shape)[:M, :N].contiguous()
    back = back.reshape(xp.shape)[:M, :N].contiguous()
    return q, scale[:, 0, :, 0], back
