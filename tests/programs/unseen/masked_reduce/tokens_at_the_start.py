# expect: wrong
# mistake: It takes the first n values of a row with n unmasked tokens, as if the mask were a prefix.
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    lengths = mask.sum(dim=1)
    positions = torch.arange(x.shape[1], device=x.device)
    inside = positions[None, :] < lengths[:, None]
    x = torch.where(inside, x.float(), torch.zeros((), device=x.device))
    n_rows = torch.clamp((lengths > 0).sum(), min=1)
    row_sums = x.sum(dim=1)
    match mode:
        case "token":
            return row_sums.sum() / lengths.sum().clamp(min=1)
        case "seq":
            return (row_sums / lengths.clamp(min=1)).sum() / n_rows
        case "seq_sum":
            return row_sums.sum() / n_rows
        case "dr":
            return row_sums.sum() / len(x) / L_const
    raise ValueError(mode)
