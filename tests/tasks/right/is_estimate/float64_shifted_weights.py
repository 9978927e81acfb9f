import torch


def is_estimate(log_w, values, kind, lo=None, hi=None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the importance-sampling estimate and the effective sample size of each row, [B] each."""
    log_w64, values64 = log_w.double(), values.double()
    if kind == "snis":
        weights = torch.softmax(log_w64, dim=1)
        estimate = (weights * values64).sum(dim=1)
    else:
        weights = log_w64.exp()
        if kind == "tis":
            weights = weights.clamp(max=hi)
        elif kind == "mis":
            weights = weights.masked_fill((weights < lo) | (weights > hi), 0.0)
        elif kind != "is":
            raise ValueError(f"unknown kind {kind!r}")
        estimate = (weights * values64).mean(dim=1)

    largest = weights.amax(dim=1, keepdim=True)
    scaled = weights / torch.where(largest > 0, largest, 1.0)
    squares = scaled.square().sum(dim=1)
    ess = torch.where(squares > 0, scaled.sum(dim=1).square() / squares.clamp(min=1.0), 0.0)
    return estimate.to(values.dtype), ess.to(values.dtype)
