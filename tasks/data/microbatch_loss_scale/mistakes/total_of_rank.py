def microbatch_loss_scale(token_counts, dp_size, n_accum):
    mine = token_counts.sum(dim=1, keepdim=True).clamp(min=1)
    return token_counts.float() * n_accum / mine
