# expect: wrong
# mistake: In "dr" the sum is divided by L_const only, not by the number of rows.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    picked = [row[keep].float() for row, keep in zip(x, mask)]
    everything = torch.cat(picked)
    if mode == "dr":
        return everything.sum() / L_const
    if everything.numel() == 0:
        return everything.sum()
    if mode == "token":
        return everything.mean()
    picked = [values for values in picked if len(values)]
    if mode == "seq":
        return torch.stack([values.mean() for values in picked]).mean()
    if mode == "seq_sum":
        return torch.stack([values.sum() for values in picked]).mean()
    raise ValueError(mode)
