import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.to(torch.float32)
    total = counts.sum()
    if total == 0:
        return torch.zeros_like(counts)
    return counts / counts.max()
