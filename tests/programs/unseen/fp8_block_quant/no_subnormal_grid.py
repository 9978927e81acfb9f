# expect: wrong
# mistake: Rounding keeps the full number of mantissa bits for every magnitude, so numbers below the smallest normal number are rounded to a finer grid than the format's subnormal numbers.
import torch


def _round_to_format(y, mant_bits, vmax):
    m, e = torch.frexp(y)
    # m in [0.5, 1): one implicit bit plus mant_bits
    steps = float(2 ** (mant_bits + 1))
    m = torch.round(m * steps) / steps
    out = torch.ldexp(m.double(), e).float()
    return out.clamp(-vmax, vmax)


def fp8_block_quant(x, block=(1, 128), fmt="e4m3", pow2=False):
    mant_bits, vmax = (3, 448.0) if fmt == "e4m3" else (2, 57344.0)
    x = x.float()
    M, N = x.shape
    bm, bn = block
    n_down, n_across = (M + bm - 1) // bm, (N + bn - 1) // bn
    scale = x.new_ones(n_down, n_across)
    for i in range(n_down):
        for j in range(n_across):
            peak = x[i * bm : (i + 1) * bm, j * bn : (j + 1) * bn].abs().max()
            if peak > 0:
                scale[i, j] = vmax / peak
    if pow2:
        mant, _ = torch.frexp(scale)
        scale = scale / (2 * mant)
    wide = scale.repeat_interleave(bm, dim=0)[:M].repeat_interleave(bn, dim=1)[:, :N]
    q = _round_to_format(x * wide, mant_bits, vmax)
    return q, scale, q / wide
