import torch
import torch.distributed as dist


def sum_over_ranks(value):
    """Return the tensor itself, replaced by its sum over all ranks."""
    dist.all_reduce(value)
    return value


def sync_gradients(model):
    """Add up the gradients of all ranks."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            sum_over_ranks(parameter.grad)


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    losses = []
    remaining = iter(batches)
    last = None
    while True:
        batch = next(remaining, None)
        if int(sum_over_ranks(torch.tensor(0 if batch is None else 1))) == 0:
            return losses
        if batch is None:
            batch = last
        last = batch
        optimizer.zero_grad()
        row_count = sum_over_ranks(torch.tensor(0 if batch is None else len(batch["states"])))
        if batch is None:
            loss = sum((parameter * 0.0).sum() for parameter in model.parameters())
        else:
            loss = (model(batch["states"]) - batch["returns"]).square().sum() / row_count
        loss.backward()
        sync_gradients(model)
        optimizer.step()
        losses.append(sum_over_ranks(loss.detach()).item())
