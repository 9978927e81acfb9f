# expect: wrong
# mistake: block is read as columns and rows instead of rows and columns.
# mistake: The largest element is taken with its sign, so that a larger negative number is cut off.
import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dtype = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    bound = torch.finfo(dtype).max
    x = x.float()
    block_w, block_h = block
    pad_w, pad_h = -x.shape[1] % block_w, -x.shape[0] % block_h
    padded = F.pad(x, (0, pad_w, 0, pad_h))
    tiles = padded.reshape(padded.shape[0] // block_h, block_h, padded.shape[1] // block_w, block_w)
    peak = tiles.amax(dim=(1, 3))
    scale = torch.where(peak > 0, bound / peak, torch.ones_like(peak))
    if pow2:
        scale = torch.ldexp(torch.ones_like(scale), torch.frexp(scale)[1] - 1)
    spread = scale.repeat_interleave(block_h, dim=0).repeat_interleave(block_w, dim=1)
    spread = spread[: x.shape[0], : x.shape[1]]
    q = (x * spread).clamp(-bound, bound).to(dtype).float()
    return q, scale, q / spread
