# expect: wrong
# mistake: The factor is count times n_accum over the total of all ranks, without the dp_size that undoes the averaging over ranks.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.double()
    total = counts.sum()
    # mean -> sum: * count; undo the division by n_accum; global mean: / total
    scale = counts * n_accum / total.clamp(min=1)
    return scale.float()
