from contextlib import nullcontext


def summed_loss(model, microbatch):
    """Return the squared error of a microbatch's predictions, summed over its rows."""
    return (model(microbatch["states"]) - microbatch["returns"]).square().sum()


def gradients_stay_local(model, is_last):
    """Return the context for one microbatch: only the last one's backward talks to the other ranks."""
    return nullcontext() if is_last else model.no_sync()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all microbatches and return this rank's mean loss."""
    optimizer.zero_grad()
    row_count = sum(len(microbatch["states"]) for microbatch in microbatches)
    losses = []
    for place, microbatch in enumerate(microbatches, start=1):
        with gradients_stay_local(model, is_last=place == len(microbatches)):
            losses.append(summed_loss(model, microbatch) / row_count)
    total = sum(losses)
    total.backward()
    optimizer.step()
    return total.item()
