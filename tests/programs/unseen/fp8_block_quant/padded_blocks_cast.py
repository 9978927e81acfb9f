# expect: right
import torch
import torch.nn.functional as F

FORMATS = {"e4m3": (torch.float8_e4m3fn, 448.0), "e5m2": (torch.float8_e5m2, 57344.0)}


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (q, scale, back), all float32: q and back [M, N], scale with one number for each block."""
    dtype, largest = FORMATS[fmt]
    x = x.detach().to(torch.float32)
    rows, cols = x.shape
    height, width = block
    padded = F.pad(x, (0, -cols % width, 0, -rows % height))
    tiles = padded.reshape(padded.shape[0] // height, height, padded.shape[1] // width, width)
    amax = tiles.abs().amax(dim=(1, 3))
    empty = amax == 0
    scale = largest / amax.masked_fill(empty, 1.0)
    if pow2:
        _, exponent = torch.frexp(scale)
        scale = torch.ldexp(torch.ones_like(scale), exponent - 1)
    scale = scale.masked_fill(empty, 1.0)
    full = scale.repeat_interleave(height, 0)[:rows].repeat_interleave(width, 1)[:, :cols]
    q = (x * full).clamp(-largest, largest).to(dtype).to(torch.float32)
    return q, scale, q / full
