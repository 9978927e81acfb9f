# expect: wrong
# mistake: Each accumulation step is normalized by its own token total over the ranks, so the step averages the micro-steps' means instead of giving every token the same weight.
import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    counts = token_counts.to(torch.float64)
    # what an all-reduce of the counts before each backward pass would give
    step_total = counts.sum(dim=0, keepdim=True).clamp(min=1)
    return (dp_size * counts / step_total).to(torch.float32)
