# expect: wrong
# mistake: The number of ranks that have tokens replaces dp_size, and every count is raised to at least 1, so empty micro-batches get a factor above 0 and enter the total.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    active_ranks = (token_counts.sum(dim=1) > 0).sum()
    counts = token_counts.clamp(min=1).double()
    scale = counts / counts.sum() * n_accum * active_ranks
    return scale.float()
