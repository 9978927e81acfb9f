# expect: right
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    total = token_counts.sum().clamp(min=1)
    share = token_counts.to(torch.float64) / total
    return (share * (dp_size * n_accum)).to(torch.float32)
