import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    per_row = torch.where(mask, loss_mat, 0.0).sum(dim=1)
    if mode == "seq-mean-token-mean":
        per_row = per_row / mask.sum(dim=1).clamp(min=1)
    count = global_seqs
    return per_row.sum() * dp_size / count
