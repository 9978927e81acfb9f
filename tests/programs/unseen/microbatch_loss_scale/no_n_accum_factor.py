# expect: wrong
# mistake: The factor is count times dp_size over the total, without the n_accum that undoes the trainer's division.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total_tokens = token_counts.sum().item()
    scale = torch.zeros(dp_size, n_accum, dtype=torch.float32, device=token_counts.device)
    if total_tokens == 0:
        return scale
    for rank in range(dp_size):
        for i in range(n_accum):
            n = token_counts[rank, i].item()
            scale[rank, i] = dp_size * n / total_tokens
    return scale
