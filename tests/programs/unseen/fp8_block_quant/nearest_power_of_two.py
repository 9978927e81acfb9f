# expect: wrong
# mistake: With pow2 the scale is the nearest power of two on the logarithmic scale, which may be above the full scale, not the one below.
import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dtype = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}[fmt]
    limit = torch.finfo(dtype).max
    data = x.float()
    bm, bn = block
    down, across = -(-data.shape[0] // bm), -(-data.shape[1] // bn)
    padded = data.new_zeros(down * bm, across * bn)
    padded[: data.shape[0], : data.shape[1]] = data
    amax = padded.view(down, bm, across, bn).abs().amax(dim=3).amax(dim=1)
    scale = torch.where(amax == 0, torch.ones_like(amax), limit / amax)
    if pow2:
        scale = torch.where(amax == 0, scale, torch.exp2(torch.round(torch.log2(scale))))
    full = torch.kron(scale, torch.ones(bm, bn))[: data.shape[0], : data.shape[1]]
    q = (data * full).clamp(-limit, limit).to(dtype).float()
    return q, scale, q / full
