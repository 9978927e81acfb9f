# expect: wrong
# mistake: Instead of n_accum the factor contains the number of non-empty micro-batches of the rank, although the trainer always divides by n_accum.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total = token_counts.sum()
    if total == 0:
        return torch.zeros_like(token_counts, dtype=torch.float32)
    effective_accum = (token_counts > 0).sum(dim=1, keepdim=True)
    weight = token_counts.to(torch.float64) / total.to(torch.float64)
    return (weight * effective_accum * dp_size).to(torch.float32)
