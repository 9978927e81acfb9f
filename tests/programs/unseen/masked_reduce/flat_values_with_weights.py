# expect: right
import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor."""
    row_of, column_of = torch.nonzero(mask, as_tuple=True)
    values = x[row_of, column_of].to(torch.float32)
    if values.numel() == 0:
        return values.sum()
    present, place, lengths = torch.unique(row_of, return_inverse=True, return_counts=True)
    if mode == "token":
        weight = torch.full_like(values, 1.0 / values.numel())
    elif mode == "seq":
        weight = 1.0 / (lengths[place].float() * present.numel())
    elif mode == "seq_sum":
        weight = torch.full_like(values, 1.0 / present.numel())
    elif mode == "dr":
        weight = torch.full_like(values, 1.0 / (x.size(0) * L_const))
    else:
        raise ValueError(mode)
    return torch.dot(values, weight.detach())
