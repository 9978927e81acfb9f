import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    total = sum(sum(row) for row in token_counts.tolist())
    scale = torch.zeros(dp_size, n_accum, device=token_counts.device)
    for rank in range(dp_size):
        for step in range(n_accum):
            count = int(token_counts[rank, step])
            if count > 0:
                share = count / total
                scale[rank, step] = 1.0 / (share * dp_size * n_accum)
    return scale
