# expect: wrong
# mistake: Masked positions are multiplied by 0, so that a NaN there reaches the loss.
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    weight = mask.to(loss_mat.dtype)
    if mode == "token-mean":
        denominator = global_tokens
    else:
        denominator = global_seqs
        if mode == "seq-mean-token-mean":
            weight = weight / weight.sum(dim=1, keepdim=True).clamp(min=1)
    return (loss_mat * weight).sum() * dp_size / denominator
