# expect: wrong
# mistake: The largest magnitude is clamped to at least 1e-12, so that a block of zeros has not the scale 1 and tiny blocks too small a scale.
import torch
import torch.nn.functional as F


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    target = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    top = torch.finfo(target).max
    x = x.to(torch.float32)
    m, n = x.shape
    bm, bn = block
    grid = F.pad(x, (0, -n % bn, 0, -m % bm))
    grid = grid.reshape(grid.shape[0] // bm, bm, -1, bn).transpose(1, 2)
    amax = grid.abs().flatten(2).amax(dim=2).clamp(min=1e-12)
    scale = top / amax
    if pow2:
        exponent = torch.frexp(scale)[1] - 1
        scale = torch.ldexp(torch.ones_like(scale), exponent)
    q = (grid * scale[..., None, None]).to(target).to(torch.float32)
    back = q / scale[..., None, None]

    def restore(t):
        return t.transpose(1, 2).reshape(scale.shape[0] * bm, scale.shape[1] * bn)[:m, :n].contiguous()

    return restore(q), scale, restore(back)
