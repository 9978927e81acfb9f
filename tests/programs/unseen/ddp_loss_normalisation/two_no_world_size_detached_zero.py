# expect: wrong
# mistake: The loss is not multiplied by dp_size.
# mistake: Where nothing counts, the zero that is returned does not hang on loss_mat.
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    if not mask.any():
        return torch.zeros((), dtype=loss_mat.dtype, device=loss_mat.device, requires_grad=True)
    if mode == "token-mean":
        return loss_mat[mask].sum() / global_tokens
    loss = 0.0
    for row, keep in zip(loss_mat, mask):
        if keep.any():
            tokens = row[keep]
            loss = loss + (tokens.mean() if mode == "seq-mean-token-mean" else tokens.sum())
    return loss / global_seqs
