# expect: wrong
# mistake: Each micro-batch is weighted by its share of its own rank's tokens, so the step is a mean of the ranks' means.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    counts = token_counts.to(torch.float64)
    rank_totals = counts.sum(dim=1, keepdim=True).clamp(min=1)
    return (counts / rank_totals * n_accum).to(torch.float32)
