# expect: wrong
# mistake: In "token" the sum is divided by the number of all positions, masked ones included.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    x = x.float().masked_fill(~mask, 0.0)
    if mode == "token":
        return x.mean()
    if mode == "dr":
        return x.sum() / x.shape[0] / L_const
    lengths = mask.sum(dim=-1)
    is_row = lengths > 0
    per_row = x.sum(dim=-1)
    if mode == "seq":
        per_row = per_row / lengths.clamp(min=1)
    return (per_row * is_row).sum() / is_row.sum().clamp(min=1)
