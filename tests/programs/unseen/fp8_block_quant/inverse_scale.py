# expect: wrong
# mistake: The scale that is returned is the factor for undoing it (largest magnitude / largest number), the inverse of what is asked for.
import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dtype = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    fmax = torch.finfo(dtype).max
    x = x.float()
    M, N = x.shape
    bm, bn = block
    xp = F.pad(x, (0, (bn - N % bn) % bn, 0, (bm - M % bm) % bm))
    xb = xp.unflatten(0, (-1, bm)).unflatten(2, (-1, bn))
    amax = xb.abs().amax(dim=(1, 3))
    scale = torch.where(amax > 0, amax / fmax, torch.ones_like(amax))
    if pow2:
        mantissa, exponent = torch.frexp(scale)
        exponent = torch.where(mantissa == 0.5, exponent - 1, exponent)
        scale = torch.ldexp(torch.ones_like(scale), exponent)
    wide = scale[:, None, :, None]
    q = (xb / wide).clamp(-fmax, fmax).to(dtype).float()
    back = (q * wide).reshape(xp.shape)[:M, :N]
    return q.reshape(xp.shape)[:M, :N], scale, back
