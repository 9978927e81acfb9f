# expect: wrong
# mistake: In "seq-mean-token-mean" a row's sum is divided by the padded width T and not by its number of tokens.
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    loss_mat = torch.where(mask, loss_mat, torch.zeros((), dtype=loss_mat.dtype))
    if mode == "token-mean":
        return loss_mat.sum() / global_tokens * dp_size
    if mode == "seq-mean-token-mean":
        return loss_mat.mean(dim=1).sum() / global_seqs * dp_size
    if mode == "seq-mean-token-sum":
        return loss_mat.sum(dim=1).sum() / global_seqs * dp_size
    raise ValueError(f"unknown mode: {mode}")
