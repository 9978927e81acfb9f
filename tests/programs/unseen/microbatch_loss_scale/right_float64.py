# expect: right
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total = int(token_counts.sum())
    if total == 0:
        return torch.zeros(token_counts.shape, dtype=torch.float32, device=token_counts.device)
    share = token_counts.to(torch.float64) / total
    return (share * (dp_size * n_accum)).to(torch.float32)
