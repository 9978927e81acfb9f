# expect: right
import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    dtype, fmax = {"e4m3": (torch.float8_e4m3fn, 448.0), "e5m2": (torch.float8_e5m2, 57344.0)}[fmt]
    x = x.detach().to(torch.float32)
    M, N = x.shape
    bm, bn = block
    down, across = -(-M // bm), -(-N // bn)
    padded = F.pad(x, (0, across * bn - N, 0, down * bm - M))
    amax = padded.abs().reshape(down, bm, across, bn).amax(dim=(1, 3))
    empty = amax == 0
    scale = torch.full_like(amax, fmax) / torch.where(empty, torch.ones_like(amax), amax)
    if pow2:
        mantissa, _ = torch.frexp(scale)
        scale = scale / (2 * mantissa)
    scale = torch.where(empty, torch.ones_like(scale), scale)
    full = scale.repeat_interleave(bm, 0).repeat_interleave(bn, 1)[:M, :N]
    q = (x * full).clamp(-fmax, fmax).to(dtype).to(torch.float32)
    return q, scale, q / full
