# expect: wrong
# mistake: Numbers below the smallest normal number of the format become 0; its subnormal numbers are not used.
import torch


def quantize(v, fmt):
    bits, smallest, largest = (3, 2.0**-6, 448.0) if fmt == "e4m3" else (2, 2.0**-14, 57344.0)
    mantissa, exponent = torch.frexp(v)
    steps = 2.0 ** (bits + 1)
    rounded = torch.ldexp(torch.round(mantissa * steps) / steps, exponent)
    rounded = rounded.clamp(-largest, largest)
    return torch.where(rounded.abs() < smallest, torch.zeros_like(v), rounded)


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x.float()
    largest = 448.0 if fmt == "e4m3" else 57344.0
    q, back = torch.empty_like(x), torch.empty_like(x)
    scales = []
    for top in range(0, x.shape[0], block[0]):
        line = []
        for left in range(0, x.shape[1], block[1]):
            window = slice(top, top + block[0]), slice(left, left + block[1])
            amax = x[window].abs().max()
            scale = largest / amax if amax > 0 else torch.ones(())
            if pow2 and amax > 0:
                scale = torch.ldexp(torch.ones(()), torch.frexp(scale).exponent - 1)
            q[window] = quantize(x[window] * scale, fmt)
            back[window] = q[window] / scale
            line.append(scale)
        scales.append(torch.stack(line))
    return q, torch.stack(scales), back
