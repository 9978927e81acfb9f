# expect: wrong
# mistake: The zero-point correction of out subtracts x_zero times the row sums of x_q instead of x_zero times the row sums of w_q.
import torch


def int8_quant(x, w) -> dict[str, torch.Tensor | float | int]:
    lo = torch.clamp(x.min(), max=0).double().item()
    hi = torch.clamp(x.max(), min=0).double().item()
    x_scale = (hi - lo) / 255 if hi > lo else 1.0
    x_zero = int(round(-128 - lo / x_scale))
    x_q = torch.clamp(torch.round(x.double() / x_scale) + x_zero, -128, 127).to(torch.int8)

    w_max = w.abs().amax(dim=1, keepdim=True).double()
    w_scale = torch.where(w_max > 0, w_max / 127, torch.ones_like(w_max))
    w_q = torch.round(w.double() / w_scale).to(torch.int8)

    acc = x_q.int() @ w_q.int().T
    x_sum = x_q.int().sum(dim=1, keepdim=True)
    out = (acc - x_zero * x_sum).double() * x_scale * w_scale.T

    return {
        "x_q": x_q,
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale.squeeze(1).float(),
        "acc": acc,
        "out": out.float(),
    }
