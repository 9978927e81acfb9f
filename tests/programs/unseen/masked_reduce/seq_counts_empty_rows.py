# expect: wrong
# mistake: In "seq" rows without any unmasked token count in the mean over rows.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    x = torch.where(mask, x, torch.zeros_like(x)).to(torch.float32)
    n = mask.sum(1)
    if mode == "token":
        return x.sum() / n.sum().clamp(min=1)
    if mode == "seq":
        seq_mean = x.sum(1) / n.clamp(min=1)
        return seq_mean.mean()
    if mode == "seq_sum":
        return x.sum() / (n > 0).sum().clamp(min=1)
    return x.sum() / (mask.shape[0] * L_const)
