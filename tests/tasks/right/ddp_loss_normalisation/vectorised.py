def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    """Make a weight for each token, then multiply once."""
    weight = mask.to(loss_mat.dtype) * dp_size
    if mode == "token-mean":
        weight = weight / global_tokens
    else:
        weight = weight / global_seqs
        if mode == "seq-mean-token-mean":
            weight = weight / mask.sum(dim=1, keepdim=True).clamp(min=1)
    return (loss_mat.masked_fill(mask.logical_not(), 0) * weight).sum()
