def microbatch_loss_scale(token_counts, dp_size, n_accum):
    together = token_counts.sum(dim=0, keepdim=True).clamp(min=1)
    return token_counts.float() * dp_size / together
