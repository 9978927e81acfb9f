# expect: right
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    kept = torch.where(mask, x.float(), 0.0)
    tokens = mask.sum(dim=1)
    rows = (tokens > 0).sum().clamp(min=1)
    sums = kept.sum(dim=1)
    if mode == "token":
        return sums.sum() / tokens.sum().clamp(min=1)
    if mode == "seq":
        return (sums / tokens.clamp(min=1)).sum() / rows
    if mode == "seq_sum":
        return sums.sum() / rows
    if mode == "dr":
        return sums.sum() / (x.shape[0] * L_const)
    raise ValueError(f"unknown mode: {mode}")
