def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total = token_counts.sum().clamp(min=1)
    return token_counts.double() * dp_size * n_accum / total
