# expect: wrong
# mistake: The sums over the tokens are taken in the dtype of x and converted to float32 afterwards, so bfloat16 loses digits.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    row_sums = x.masked_fill(~mask, 0).sum(dim=1).float()
    counts = mask.sum(dim=1).float()
    nonempty = (counts > 0).float().sum().clamp(min=1.0)
    if mode == "token":
        loss = row_sums.sum() / counts.sum().clamp(min=1.0)
    elif mode == "seq":
        loss = (row_sums / counts.clamp(min=1.0)).sum() / nonempty
    elif mode == "seq_sum":
        loss = row_sums.sum() / nonempty
    elif mode == "dr":
        loss = row_sums.sum() / (row_sums.numel() * L_const)
    else:
        raise ValueError(mode)
    return loss
