import torch


def int8_quant(x, w):
    low = min(x.min().item(), 0.0)
    high = max(x.max().item(), 0.0)
    x_scale = (high - low) / 254 or 1.0
    x_zero = round(-127 - low / x_scale)
    x_q = torch.clamp(torch.round(x / x_scale) + x_zero, -127, 127).to(torch.int8)
    w_scale = w.abs().max(dim=1).values / 127
    w_scale = torch.where(w_scale == 0, 1.0, w_scale)
    w_q = torch.clamp(torch.round(w / w_scale[:, None]), -127, 127).to(torch.int8)
    acc = x_q.int() @ w_q.int().T
    out = x_scale * w_scale * (acc - x_zero * w_q.int().sum(dim=1))
    return {"x_q": x_q, "x_scale": x_scale, "x_zero": x_zero, "w_q": w_q, "w_scale": w_scale, "acc": acc, "out": out}
