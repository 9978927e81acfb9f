# expect: wrong
# mistake: The integer product is computed by a float32 matrix product, which is not exact once sums exceed 2**24.
import torch


def int8_quant(x, w) -> dict[str, torch.Tensor | float | int]:
    x64 = x.double()
    lo, hi = x64.aminmax()
    lo = min(lo.item(), 0.0)
    hi = max(hi.item(), 0.0)
    x_scale = (hi - lo) / 255 or 1.0
    x_zero = round(-128 - lo / x_scale)
    x_q = ((x64 / x_scale).round() + x_zero).clamp(-128, 127).to(torch.int8)

    w64 = w.double()
    w_abs = w64.abs().amax(1)
    w_scale = torch.where(w_abs > 0, w_abs / 127, torch.ones_like(w_abs))
    w_q = (w64 / w_scale[:, None]).round().to(torch.int8)

    acc = torch.mm(x_q.float(), w_q.float().t()).round().to(torch.int32)
    shift = x_zero * w_q.to(torch.int32).sum(dim=1)
    out = (acc - shift[None, :]).double() * x_scale * w_scale[None, :]

    return {
        "x_q": x_q,
        "x_scale": float(x_scale),
        "x_zero": x_zero,
        "w_q": w_q,
        "w_scale": w_scale.float(),
        "acc": acc,
        "out": out.float(),
    }
