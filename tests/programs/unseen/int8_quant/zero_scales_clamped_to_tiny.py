# expect: wrong
# mistake: If a row of w is all zeros, its scale is the clamped magnitude 1e-12 divided by 127 instead of 1 (the activations' scale is treated correctly).
import torch


def int8_quant(x, w):
    low = min(0.0, x.min().item())
    high = max(0.0, x.max().item())
    x_scale = (high - low) / 255
    if high == low:
        x_scale = 1.0
    x_zero = round(-128 - low / x_scale)

    x_q = torch.round(x.double() / x_scale)
    x_q = (x_q + x_zero).clamp_(-128, 127).to(torch.int8)

    w_scale = w.double().abs().amax(dim=1).clamp(min=1e-12) / 127
    w_q = torch.round(w.double() / w_scale[:, None]).clamp_(-127, 127).to(torch.int8)

    a = x_q.to(torch.int32)
    b = w_q.to(torch.int32)
    acc = a @ b.T

    out = (x_scale * (a - x_zero).double()) @ (w_scale[:, None] * b.double()).T
    return {
        "x_q": x_q,
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale.to(torch.float32),
        "acc": acc,
        "out": out.to(torch.float32),
    }
