import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    """Return the loss of one microbatch on one rank, for gradients that are averaged over ranks.

    loss_mat: [B, T] float; mask: [B, T] bool.
    """
    raise NotImplementedError
