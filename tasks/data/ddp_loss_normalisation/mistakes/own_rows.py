def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    masked = loss_mat.masked_fill(~mask, 0.0)
    if mode == "token-mean":
        return masked.sum() / global_tokens * dp_size
    if mode == "seq-mean-token-mean":
        seq = masked.sum(-1) / mask.sum(-1).clamp(min=1)
    else:
        seq = masked.sum(-1)
    return seq.sum() / mask.any(-1).sum().clamp(min=1)
