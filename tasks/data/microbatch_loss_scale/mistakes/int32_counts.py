import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.to(torch.int32)
    total = counts.sum(dtype=torch.int32).clamp(min=1)
    return (counts.double() * dp_size * n_accum / total).float()
