# expect: wrong
# mistake: The largest magnitude of a block is clamped to at least 1e-12, so blocks whose largest magnitude is smaller are not mapped to the largest number of the format.
import torch


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    target = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    top = 448.0 if fmt == "e4m3" else 57344.0
    bm, bn = block
    x = x.float()
    M, N = x.shape
    scales, qs = [], []
    for r in range(0, M, bm):
        srow, qrow = [], []
        for c in range(0, N, bn):
            tile = x[r : r + bm, c : c + bn]
            amax = tile.abs().amax()
            s = top / amax.clamp(min=1e-12)
            if pow2:
                mant, _ = torch.frexp(s)
                s = s / (mant * 2)
            s = torch.where(amax == 0, torch.ones_like(s), s)
            srow.append(s)
            qrow.append((tile * s).to(target).float())
        scales.append(torch.stack(srow))
        qs.append(torch.cat(qrow, dim=1))
    scale = torch.stack(scales)
    q = torch.cat(qs, dim=0)
    back = q / scale.repeat_interleave(bm, 0)[:M].repeat_interleave(bn, 1)[:, :N]
    return q, scale, back
