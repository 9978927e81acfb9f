"""The mean of the ranks' gradients is the gradient of the mean loss, and that mean is clipped."""

import torch
import torch.distributed as dist


def mean_over_ranks(value):
    """Return the tensor itself, replaced by its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def train_step(model, batch, optimizer, max_norm):
    """Take one optimizer step on clipped gradients; return the loss of all ranks and the norm before clipping.

    Shapes: batch has states [B, D] and returns [B], of this rank; B is the same on all ranks.
    Assumes: a default process group; a parameter without a gradient has none on any rank.
    Source: arXiv:2006.15704, section 3 (gradients are averaged over ranks).
    """
    optimizer.zero_grad()
    loss = (model(batch["states"]) - batch["returns"]).square().mean()
    loss.backward()
    for parameter in model.parameters():
        if parameter.grad is not None:
            mean_over_ranks(parameter.grad)
    # After averaging: the bound applies to the gradient that the optimizer uses.
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return mean_over_ranks(loss.detach()).item(), norm.item()
