# expect: wrong
# mistake: For "e4m3" the largest number is taken to be 240, that of another variant of the format, not 448.
import torch

MAX = {"e4m3": 240.0, "e5m2": 57344.0}
DTYPE = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}


def expand(scale, block, shape):
    rows = torch.arange(shape[0]) // block[0]
    cols = torch.arange(shape[1]) // block[1]
    return scale[rows][:, cols]


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x.to(torch.float32)
    bands = [band.abs() for band in x.split(block[0], dim=0)]
    amax = torch.stack([torch.stack([part.max() for part in band.split(block[1], dim=1)]) for band in bands])
    nonzero = amax > 0
    scale = MAX[fmt] / torch.where(nonzero, amax, 1.0)
    if pow2:
        scale = torch.ldexp(torch.ones_like(scale), torch.frexp(scale).exponent - 1)
    scale = torch.where(nonzero, scale, 1.0)
    factor = expand(scale, block, x.shape)
    q = (x * factor).to(DTYPE[fmt]).float()
    return q, scale, q / factor
