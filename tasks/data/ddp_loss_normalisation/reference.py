"""A token's weight depends on its row and on the whole batch, never on its rank or microbatch."""

import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    """Return the microbatch's part of the batch's loss, multiplied by the number of ranks.

    Shapes: loss_mat and mask [B, T].
    Source: arXiv:2006.15704, section 3 (gradients are averaged); arXiv:2503.14476, section 3.3 (token mean).
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, and the loss would be NaN, too.
    rows = torch.where(mask, loss_mat, 0.0).sum(dim=1)
    if mode == "seq-mean-token-mean":
        rows = rows / mask.sum(dim=1).clamp(min=1)
    count = global_tokens if mode == "token-mean" else global_seqs
    return rows.sum() * dp_size / count
