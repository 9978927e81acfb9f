# expect: wrong
# mistake: The modes over rows take the mean over the rows of this microbatch instead of dividing by global_seqs.
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    zeroed = loss_mat.masked_fill(mask.logical_not(), 0)
    lengths = mask.sum(dim=1)
    if mode == "token-mean":
        return zeroed.sum() * dp_size / global_tokens

    rows = zeroed.sum(dim=1)
    if mode == "seq-mean-token-mean":
        rows = rows / lengths.clamp(min=1)
    live = (lengths > 0).sum().clamp(min=1)
    return rows.sum() / live
