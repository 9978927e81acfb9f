# expect: wrong
# mistake: "token-mean" is the mean over the tokens of this microbatch, not a share of the mean over all tokens.
import torch


def masked_mean(values, mask):
    values = torch.where(mask, values, 0.0)
    return values.sum() / mask.sum().clamp(min=1)


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    if mode == "token-mean":
        return masked_mean(loss_mat, mask)
    per_row = torch.where(mask, loss_mat, 0.0).sum(dim=-1)
    if mode == "seq-mean-token-mean":
        per_row = per_row / mask.sum(dim=-1).clamp(min=1)
    return per_row.sum() * dp_size / global_seqs
