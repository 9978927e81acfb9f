# expect: wrong
# mistake: Activations are quantized as round((x - low) / x_scale) - 128, that is with the unrounded zero point, instead of rounding x / x_scale and adding the rounded zero point.
import torch


def int8_quant(x, w):
    QMIN, QMAX, LEVELS = -128, 127, 255

    xf = x.to(torch.float64)
    low = torch.minimum(xf.min(), torch.zeros((), dtype=torch.float64))
    high = torch.maximum(xf.max(), torch.zeros((), dtype=torch.float64))
    span = high - low
    scale_x = (span / LEVELS).item() if span > 0 else 1.0
    zero = int(torch.round(QMIN - low / scale_x))
    xq = (torch.round((xf - low) / scale_x) + QMIN).clamp(QMIN, QMAX)

    wf = w.to(torch.float64)
    peak = wf.abs().amax(dim=-1)
    scale_w = peak / 127
    scale_w[peak == 0] = 1
    wq = torch.round(wf / scale_w[:, None])

    acc = torch.einsum("mk,nk->mn", xq, wq)
    deq = torch.einsum("mk,nk->mn", xq - zero, wq) * scale_x * scale_w
    return dict(
        x_q=xq.to(torch.int8),
        x_scale=scale_x,
        x_zero=zero,
        w_q=wq.to(torch.int8),
        w_scale=scale_w.to(torch.float32),
        acc=acc.to(torch.int32),
        out=deq.to(torch.float32),
    )
