"""Every rank takes part in every collective; only the code after a collective may depend on the rank."""

import torch
import torch.distributed as dist
from torch.nn import functional as F


def mean_over_ranks(value):
    """Return the mean of a tensor over all ranks."""
    total = value.detach().clone()
    dist.all_reduce(total)
    return total / dist.get_world_size()


def train(model, batches, optimizer, log_every):
    """Take one step on each batch; return one dict of numbers per `log_every` steps on rank 0, an empty list elsewhere.

    Shapes: each batch has chosen and rejected [B, D], of this rank; B is the same on all ranks.
    Assumes: a default process group; the same number of batches on every rank.
    """
    logged = []
    for step, batch in enumerate(batches, start=1):
        margin = model(batch["chosen"]) - model(batch["rejected"])
        loss = -F.logsigmoid(margin).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.grad = mean_over_ranks(parameter.grad)
        optimizer.step()
        if step % log_every == 0:
            means = mean_over_ranks(torch.stack([loss, (margin > 0).to(margin.dtype).mean(), margin.mean()]))
            # Only after the reduction: otherwise, rank 0 would wait for the other ranks forever.
            if dist.get_rank() == 0:
                logged.append({"step": step, **dict(zip(("loss", "accuracy", "margin"), means.tolist(), strict=True))})
    return logged
