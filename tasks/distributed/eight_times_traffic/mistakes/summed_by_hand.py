import torch.distributed as dist


def summed_loss(model, microbatch):
    """Return the squared error of a microbatch's predictions, summed over its rows."""
    return (model(microbatch["states"]) - microbatch["returns"]).square().sum()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all microbatches and return this rank's mean loss."""
    optimizer.zero_grad()
    row_count = sum(len(microbatch["states"]) for microbatch in microbatches)
    total = 0.0
    for place, microbatch in enumerate(microbatches, start=1):
        with model.no_sync():
            loss = summed_loss(model, microbatch) / row_count
            loss.backward()
        total += loss.item()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
    return total
