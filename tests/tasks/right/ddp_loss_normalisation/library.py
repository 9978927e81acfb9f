import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    """Pack the tokens that count, reduce them row by row, and let the mean over ranks do the rest."""
    packed, (row, _) = loss_mat[mask], mask.nonzero(as_tuple=True)
    if mode == "token-mean":
        return packed.sum().mul(dp_size).div(global_tokens)
    reduce = "mean" if mode == "seq-mean-token-mean" else "sum"
    rows = torch.zeros(len(mask), dtype=packed.dtype, device=packed.device)
    rows = rows.scatter_reduce(0, row, packed, reduce, include_self=False)
    return torch.sum(rows) * (dp_size / global_seqs)
