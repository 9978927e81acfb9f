import torch

DTYPE = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    dtype = DTYPE[fmt]
    limit = torch.finfo(dtype).max
    w = x.float()
    q = w.clone()
    back = w.clone()
    scales = []
    for i in range(0, w.shape[0] - block[0] + 1, block[0]):
        row = []
        for j in range(0, w.shape[1] - block[1] + 1, block[1]):
            tile = w[i : i + block[0], j : j + block[1]]
            amax = tile.abs().max()
            s = limit / amax if amax > 0 else torch.ones_like(amax)
            if pow2:
                s = 2.0 ** torch.floor(torch.log2(s))
            t = (tile * s).to(dtype).float()
            q[i : i + block[0], j : j + block[1]] = t
            back[i : i + block[0], j : j + block[1]] = t / s
            row.append(s)
        scales.append(torch.stack(row))
    return q, torch.stack(scales), back
