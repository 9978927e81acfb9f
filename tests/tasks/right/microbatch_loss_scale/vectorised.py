import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    """Return each count over the average count."""
    counts = token_counts.to(torch.float64)
    average = counts.mean()
    return torch.where(counts > 0, counts / average, 0.0).to(torch.float32)
