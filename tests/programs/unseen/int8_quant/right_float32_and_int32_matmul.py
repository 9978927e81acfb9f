# expect: right
import torch


def _quantize_activations(x):
    low = min(float(x.min()), 0.0)
    high = max(float(x.max()), 0.0)
    scale = (high - low) / 255.0
    if scale == 0.0:
        scale = 1.0
    zero = int(torch.round(torch.tensor(-128.0 - low / scale, dtype=torch.float64)).item())
    q = torch.clamp(torch.round(x / scale) + zero, -128, 127).to(torch.int8)
    return q, scale, zero


def _quantize_weights(w):
    absmax = w.abs().max(dim=-1).values
    scale = absmax / 127.0
    scale[absmax == 0] = 1.0
    q = torch.round(w / scale.unsqueeze(-1)).to(torch.int8)
    return q, scale


def int8_quant(x, w):
    x_q, x_scale, x_zero = _quantize_activations(x)
    w_q, w_scale = _quantize_weights(w)

    acc = torch.matmul(x_q.to(torch.int32), w_q.to(torch.int32).t())
    w_sums = w_q.sum(dim=1, dtype=torch.int32)
    out = (acc - x_zero * w_sums).to(torch.float32) * w_scale * x_scale

    return {
        "x_q": x_q,
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale,
        "acc": acc.to(torch.int32),
        "out": out,
    }
