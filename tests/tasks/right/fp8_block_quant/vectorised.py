import torch


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    """Give each element the number of its block and reduce by these numbers; nothing is padded."""
    dtype = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}[fmt]
    largest = torch.finfo(dtype).max
    exact = x.to(torch.float32)
    down, across = (-(-size // step) for size, step in zip(x.shape, block, strict=True))
    i = torch.arange(x.shape[0], device=x.device)[:, None] // block[0]
    j = torch.arange(x.shape[1], device=x.device)[None, :] // block[1]
    number = i * across + j
    amax = torch.zeros(down * across, device=x.device)
    amax = amax.scatter_reduce(0, number.flatten(), exact.abs().flatten(), "amax")
    undo = torch.where(amax == 0, 1.0, amax / largest)
    scale = undo.reciprocal()
    if pow2:
        _, exponent = torch.frexp(scale)
        scale = torch.ldexp(torch.ones_like(scale), exponent - 1)
    q = (exact * scale[number]).clamp(-largest, largest).to(dtype).to(torch.float32)
    return q, scale.view(down, across), q / scale[number]
