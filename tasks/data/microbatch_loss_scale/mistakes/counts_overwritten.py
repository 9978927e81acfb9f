def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total = token_counts.sum().clamp(min=1)
    is_empty = token_counts == 0
    token_counts[is_empty] = 1
    scale = token_counts.double() * dp_size * n_accum / total
    return scale.masked_fill(is_empty, 0.0).float()
