# expect: right
from fractions import Fraction

import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    table = token_counts.tolist()
    total = sum(sum(row) for row in table)
    scale = torch.zeros(dp_size, n_accum, dtype=torch.float32, device=token_counts.device)
    if total == 0:
        return scale
    mean_count = Fraction(total, dp_size * n_accum)
    for rank, row in enumerate(table):
        for step, count in enumerate(row):
            scale[rank, step] = float(Fraction(count) / mean_count)
    return scale
