import torch


def masked_sum(values, mask):
    return torch.where(mask, values, torch.zeros_like(values)).sum(dim=-1)


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    per_seq = masked_sum(loss_mat, mask)
    lengths = mask.sum(dim=-1)
    if mode == "token-mean":
        loss = per_seq.sum() / global_tokens
    elif mode == "seq-mean-token-mean":
        loss = (per_seq / loss_mat.shape[1]).sum() / global_seqs
    elif mode == "seq-mean-token-sum":
        loss = per_seq.sum() / global_seqs
    else:
        raise ValueError(mode)
    return loss * dp_size
