# expect: wrong
# mistake: The activation range runs from the smallest to the largest element without being extended to include 0.
import torch


def quantize_per_tensor_asym(x):
    x_min, x_max = x.min().item(), x.max().item()
    span = x_max - x_min
    scale = span / 255.0 if span > 0 else 1.0
    zero_point = round(-128 - x_min / scale)
    q = torch.round(x.double() / scale) + zero_point
    return q.clamp(-128, 127).to(torch.int8), scale, zero_point


def quantize_per_channel_sym(w):
    max_abs = w.double().abs().amax(dim=1)
    scale = torch.where(max_abs == 0, 1.0, max_abs / 127.0)
    q = torch.round(w.double() / scale.unsqueeze(1)).clamp(-127, 127)
    return q.to(torch.int8), scale


def int8_quant(x, w) -> dict[str, torch.Tensor | float | int]:
    x_q, x_scale, x_zero = quantize_per_tensor_asym(x)
    w_q, w_scale = quantize_per_channel_sym(w)
    acc = x_q.to(torch.int64) @ w_q.to(torch.int64).T
    corrected = acc - x_zero * w_q.to(torch.int64).sum(dim=1)
    out = corrected.double() * x_scale * w_scale
    return {
        "x_q": x_q,
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale.float(),
        "acc": acc.to(torch.int32),
        "out": out.float(),
    }
