import torch


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    """Differentiate what the trainer should compute and divide by what it does compute, micro-batch by micro-batch."""
    counts = token_counts.double()
    means = torch.ones_like(counts).requires_grad_()
    wanted = torch.sum(means * counts) / counts.sum().clamp_min(1.0)
    done = torch.mean(torch.sum(means / n_accum, dim=1), dim=0)
    (wanted_slope,) = torch.autograd.grad(wanted, means)
    (done_slope,) = torch.autograd.grad(done, means)
    return torch.div(wanted_slope, done_slope).float()
