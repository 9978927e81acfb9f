# expect: wrong
# mistake: The factors undo only the division by n_accum, as if the gradients were summed over the ranks and not averaged.
# mistake: If there is no token at all, the factors are NaN instead of 0.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    weights = token_counts.double()
    return (n_accum * weights / weights.sum()).to(torch.float32)
