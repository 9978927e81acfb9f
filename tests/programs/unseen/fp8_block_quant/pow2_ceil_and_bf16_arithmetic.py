# expect: wrong
# mistake: With pow2 the scale is the smallest power of two that is not below the factor, and for bfloat16 inputs the scale and the scaled elements are computed in bfloat16.
import torch


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    f8 = torch.float8_e4m3fn if fmt == "e4m3" else torch.float8_e5m2
    fmax = torch.finfo(f8).max
    bm, bn = block
    M, N = x.shape
    rows, cols = -(-M // bm), -(-N // bn)

    scale = torch.ones(rows, cols, dtype=x.dtype)
    q = torch.empty(M, N)
    for i in range(rows):
        for j in range(cols):
            tile = x[i * bm : (i + 1) * bm, j * bn : (j + 1) * bn]
            amax = tile.abs().max()
            if amax > 0:
                s = fmax / amax
                if pow2:
                    s = torch.exp2(torch.ceil(torch.log2(s)))
                scale[i, j] = s
            scaled = (tile * scale[i, j]).clamp(-fmax, fmax)
            q[i * bm : (i + 1) * bm, j * bn : (j + 1) * bn] = scaled.to(f8).float()
    scale = scale.float()
    back = q / scale.repeat_interleave(bm, 0)[:M].repeat_interleave(bn, 1)[:, :N]
    return q, scale, back
