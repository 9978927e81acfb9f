# expect: wrong
# mistake: The loss is not multiplied by dp_size, so that averaging over the ranks shrinks it.
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    masked = loss_mat.masked_fill(~mask, 0.0)
    if mode == "token-mean":
        loss = masked.sum() / global_tokens
    elif mode == "seq-mean-token-mean":
        lengths = mask.sum(-1).clamp(min=1)
        loss = (masked.sum(-1) / lengths).sum() / global_seqs
    elif mode == "seq-mean-token-sum":
        loss = masked.sum(-1).sum() / global_seqs
    else:
        raise ValueError(mode)
    return loss
