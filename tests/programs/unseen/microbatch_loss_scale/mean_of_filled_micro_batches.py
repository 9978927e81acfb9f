# expect: wrong
# mistake: The counts are divided by the mean count of the micro-batches that have tokens, although the trainer divides by all micro-batches.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    filled = token_counts[token_counts > 0]
    if filled.numel() == 0:
        return torch.zeros(dp_size, n_accum, dtype=torch.float32, device=token_counts.device)
    average = filled.double().mean()
    return (token_counts.double() / average).to(torch.float32)
