# expect: right
import torch


def int8_quant(x, w) -> dict[str, torch.Tensor | float | int]:
    """Return x_q, x_scale, x_zero, w_q, w_scale, acc and out as a dict."""
    xd, wd = x.detach().double(), w.detach().double()

    low = min(xd.min().item(), 0.0)
    high = max(xd.max().item(), 0.0)
    width = high - low
    x_scale = width / 255 if width != 0 else 1.0
    x_zero = round(-128 - low / x_scale)
    x_int = (torch.round(xd / x_scale) + x_zero).clamp(-128, 127)

    largest = wd.abs().amax(dim=1)
    scale = torch.where(largest == 0, torch.ones_like(largest), largest / 127)
    w_int = torch.round(wd / scale[:, None]).clamp(-127, 127)

    # at most 4096 * 128 * 127, so exact in float64
    acc = x_int @ w_int.T
    corrected = acc - x_zero * w_int.sum(dim=1)
    out = x_scale * corrected * scale

    return {
        "x_q": x_int.to(torch.int8),
        "x_scale": x_scale,
        "x_zero": x_zero,
        "w_q": w_int.to(torch.int8),
        "w_scale": scale.to(torch.float32),
        "acc": acc.to(torch.int32),
        "out": out.to(torch.float32),
    }
