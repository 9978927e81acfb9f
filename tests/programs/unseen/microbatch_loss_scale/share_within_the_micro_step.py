# expect: wrong
# mistake: Each micro-batch is weighted by its share of the tokens of all ranks in the same accumulation step, so the step is a mean of the micro-steps' means.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum) -> torch.Tensor:
    """Return the factor of each micro-batch's mean loss, [dp_size, n_accum] float32."""
    scale = torch.zeros((dp_size, n_accum), dtype=torch.float32, device=token_counts.device)
    for step in range(n_accum):
        column = token_counts[:, step].double()
        tokens = column.sum()
        if tokens > 0:
            scale[:, step] = (dp_size * column / tokens).float()
    return scale
