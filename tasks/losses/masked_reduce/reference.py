"""Masked positions are replaced before anything is summed, and no divisor that is a count is ever below one."""

import torch


def masked_reduce(x, mask, mode, L_const=None):
    """Return the values of the unmasked tokens reduced to one number, in the unit of `x`.

    Shapes: x, mask [B, T]; the result is 0-dim.
    Source: arXiv:2402.03300 ("seq"), arXiv:2503.14476 ("token"), arXiv:2503.20783 ("dr").
    """
    precise = x.to(torch.promote_types(x.dtype, torch.float32))
    # torch.where instead of `* mask`, because 0 * NaN is NaN. It also keeps the graph if everything is masked.
    row_sums = torch.where(mask, precise, 0.0).sum(dim=1)
    row_tokens = mask.sum(dim=1)
    rows = (row_tokens > 0).sum().clamp(min=1)
    if mode == "token":
        return row_sums.sum() / row_tokens.sum().clamp(min=1)
    if mode == "seq":
        return (row_sums / row_tokens.clamp(min=1)).sum() / rows
    if mode == "seq_sum":
        return row_sums.sum() / rows
    return row_sums.sum() / (len(x) * L_const)
