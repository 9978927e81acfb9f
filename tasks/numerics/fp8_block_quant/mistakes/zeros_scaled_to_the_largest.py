import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    bm, bn = block
    M, N = x.shape
    fp8 = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    fmax = 448.0 if fmt == "e4m3" else 57344.0
    x32 = x.float()
    xp = F.pad(x32, (0, -N % bn, 0, -M % bm))
    tiles = xp.view(xp.shape[0] // bm, bm, xp.shape[1] // bn, bn)
    amax = tiles.abs().amax(dim=(1, 3))
    amax = torch.where(amax > 0, amax, 1.0)
    scale = fmax / amax
    if pow2:
        scale = torch.exp2(torch.floor(torch.log2(scale)))
    y = (tiles * scale[:, None, :, None]).clamp(-fmax, fmax)
    q = y.to(fp8).float()
    back = q / scale[:, None, :, None]
    q = q.reshape(xp.shape)[:M, :N]
    back = back.reshape(xp.shape)[:M, :N]
    return q, scale, back
