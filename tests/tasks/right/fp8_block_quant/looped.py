import math

import torch


def rounded(y, largest, mantissa_bits, exponent_min):
    """Return the nearest number of the format; Python rounds halves to even."""
    if y == 0:
        return 0.0
    exponent = max(math.frexp(y)[1] - 1, exponent_min)
    step = 2.0 ** (exponent - mantissa_bits)
    return max(-largest, min(largest, round(y / step) * step))


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    largest, bits, low = {"e4m3": (448.0, 3, -6), "e5m2": (57344.0, 2, -14)}[fmt]
    numbers = x.float().tolist()
    height, width = x.shape
    q = [[0.0] * width for _ in range(height)]
    back = [[0.0] * width for _ in range(height)]
    scales = []
    for top in range(0, height, block[0]):
        scales.append([])
        for left in range(0, width, block[1]):
            places = [
                (i, j)
                for i in range(top, min(top + block[0], height))
                for j in range(left, min(left + block[1], width))
            ]
            amax = max(abs(numbers[i][j]) for i, j in places)
            scale = largest / amax if amax else 1.0
            if pow2:
                scale = 2.0 ** math.floor(math.log2(scale))
            scales[-1].append(scale)
            for i, j in places:
                q[i][j] = rounded(numbers[i][j] * scale, largest, bits, low)
                back[i][j] = q[i][j] / scale
    return tuple(torch.tensor(values, dtype=torch.float32, device=x.device) for values in (q, scales, back))
