# expect: wrong
# mistake: The mask is applied by multiplication, so NaN at a masked position reaches the result.
# mistake: "seq_sum" adds the sums of the rows and does not take their mean.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    m = mask.float()
    x = x.float() * m
    tokens = m.sum(-1)
    if mode == "token":
        return x.sum() / tokens.sum().clamp(min=1)
    if mode == "seq":
        means = x.sum(-1) / tokens.clamp(min=1)
        return means.sum() / (tokens > 0).sum().clamp(min=1)
    if mode == "seq_sum":
        return x.sum(-1).sum()
    return x.sum() / x.shape[0] / L_const
