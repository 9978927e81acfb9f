"""A rank that has run out of batches keeps taking part in the reductions with zeros until all ranks have run out."""

import torch
import torch.distributed as dist


def sum_over_ranks(value):
    """Return the tensor itself, replaced by its sum over all ranks."""
    dist.all_reduce(value)
    return value


def train_epoch(model, batches, optimizer):
    """Take steps until no rank has a batch left, each on the ranks' next batches; return the losses of the steps.

    Shapes: each batch has states [B, D] and returns [B], of this rank.
    Assumes: a default process group; every parameter takes part in the loss.
    """
    losses = []
    remaining = iter(batches)
    while True:
        batch = next(remaining, None)
        row_count = sum_over_ranks(torch.tensor(0 if batch is None else len(batch["states"])))
        if row_count == 0:
            return losses
        optimizer.zero_grad()
        loss = torch.zeros(())
        if batch is not None:
            loss = (model(batch["states"]) - batch["returns"]).square().sum() / row_count
            loss.backward()
        for parameter in model.parameters():
            # Zeros instead of skipping the call: the other ranks' reductions wait for this rank.
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            sum_over_ranks(parameter.grad)
        optimizer.step()
        losses.append(sum_over_ranks(loss.detach()).item())
