from fractions import Fraction

import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    rows = token_counts.tolist()
    total = 0
    for row in rows:
        for count in row:
            total += count
    scale = [[float(Fraction(count * dp_size * n_accum, total or 1)) for count in row] for row in rows]
    return torch.tensor(scale, dtype=torch.float32, device=token_counts.device)
