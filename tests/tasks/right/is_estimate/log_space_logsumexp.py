import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the importance-sampling estimate and the effective sample size of each row, [B] each."""
    transform = {
        "is": lambda lw: lw,
        "snis": lambda lw: lw - lw.logsumexp(dim=1, keepdim=True) + math.log(lw.shape[1]),
        "tis": lambda lw: lw.clamp(max=math.log(hi)),
        "mis": lambda lw: torch.where((lw >= math.log(lo)) & (lw <= math.log(hi)), lw, -math.inf),
    }[kind]
    lw = transform(log_w.to(torch.float64))
    estimate = torch.einsum("bn,bn->b", lw.exp(), values.to(torch.float64)) / lw.shape[1]
    log_ess = 2 * lw.logsumexp(dim=1) - (2 * lw).logsumexp(dim=1)
    ess = log_ess.exp().nan_to_num(nan=0.0)
    return estimate.to(values.dtype), ess.to(values.dtype)
