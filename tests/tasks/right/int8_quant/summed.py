import torch


def quantize(values, scale, zero, low, high):
    return (torch.round(values / scale) + zero).clamp_(low, high).to(torch.int8)


def int8_quant(x, w):
    """Sum elementwise products in int32, and treat the zero point as one more term of each product."""
    ends = torch.stack([x.min(), x.max(), torch.zeros(())])
    width = ends.max() - ends.min()
    scale = (width / 255 if width > 0 else torch.ones(())).item()
    zero = torch.round(-128 - ends.min() / scale).int()
    x_q = quantize(x, scale, zero, -128, 127)
    w_max = torch.maximum(w.max(dim=1).values, -w.min(dim=1).values)
    w_scale = torch.where(w_max.eq(0), torch.ones_like(w_max), w_max / 127)
    w_q = quantize(w, w_scale.reshape(-1, 1), 0, -127, 127)
    products = x_q[:, None].int() * w_q[None].int()
    shifted = (x_q.int() - zero)[:, None] * w_q[None].int()
    return {
        "x_q": x_q,
        "x_scale": scale,
        "x_zero": zero.item(),
        "w_q": w_q,
        "w_scale": w_scale,
        "acc": products.sum(dim=-1, dtype=torch.int32),
        "out": shifted.sum(dim=-1).float() * w_scale * scale,
    }
