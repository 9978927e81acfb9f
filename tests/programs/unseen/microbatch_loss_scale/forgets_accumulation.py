# expect: wrong
# mistake: The factors undo only the mean over the ranks, not the trainer's division by n_accum.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    counts = token_counts.double()
    total = counts.sum()
    if total == 0:
        return torch.zeros_like(counts, dtype=torch.float32)
    # the average over ranks divides by dp_size: put it back
    return (counts * dp_size / total).float()
