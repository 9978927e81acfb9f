import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.to(torch.bfloat16)
    total = counts.sum()
    if total == 0:
        return torch.zeros_like(counts, dtype=torch.float32)
    return (counts / total).float() * dp_size * n_accum
