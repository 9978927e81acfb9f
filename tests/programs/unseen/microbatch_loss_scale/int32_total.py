# expect: wrong
# mistake: The total is taken in int32, which overflows once the counts add up to 2**31 or more.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    total = token_counts.sum(dtype=torch.int32)
    micro_batches = dp_size * n_accum
    scale = token_counts.double() * micro_batches / total.clamp(min=1)
    return scale.float()
