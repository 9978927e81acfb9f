# expect: wrong
# mistake: If all counts are 0, the factors are 0 divided by 0, which is NaN, instead of 0.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.to(torch.float64)
    mean_count = counts.sum() / (dp_size * n_accum)
    scale = counts / mean_count
    return scale.to(dtype=torch.float32, device=token_counts.device)
