# expect: right
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    """Return the loss of one microbatch of one rank, for gradients that are averaged over ranks."""
    # An empty selection sums to 0 and keeps the result attached to loss_mat.
    total = loss_mat[torch.zeros_like(mask)].sum()
    for losses, keep in zip(loss_mat, mask):
        picked = losses[keep]
        if picked.numel() == 0:
            continue
        if mode == "seq-mean-token-mean":
            total = total + picked.mean()
        else:
            total = total + picked.sum()
    parts = global_tokens if mode == "token-mean" else global_seqs
    return total * dp_size / parts
