# expect: wrong
# mistake: Two mistakes: the zero point is truncated with int() instead of rounded to the nearest integer, and it is added before the activation is rounded instead of after.
import torch


def int8_quant(x, w):
    lo = float(x.min().clamp(max=0.0))
    hi = float(x.max().clamp(min=0.0))
    rng = hi - lo
    x_scale = rng / 255.0 if rng else 1.0
    x_zero = int(-128 - lo / x_scale)
    x_q = torch.clamp(torch.round(x.double() / x_scale + x_zero), -128, 127).to(torch.int8)

    N = w.shape[0]
    w_scale = torch.ones(N, dtype=torch.float64)
    w_q = torch.zeros(w.shape, dtype=torch.int8)
    for n in range(N):
        row = w[n].double()
        top = row.abs().max().item()
        if top > 0:
            w_scale[n] = top / 127
        w_q[n] = torch.round(row / w_scale[n]).to(torch.int8)

    acc = x_q.to(torch.int32).matmul(w_q.to(torch.int32).T)
    dense = (x_q.to(torch.int32) - x_zero).matmul(w_q.to(torch.int32).T)
    out = (x_scale * dense.double() * w_scale).float()

    return {
        "x_q": x_q,
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale.float(),
        "acc": acc,
        "out": out,
    }
