import torch



def summed_loss(model, microbatch):
    """Return the squared error of a microbatch's predictions, summed over its rows."""
    return (model(microbatch["states"]) - microbatch["returns"]).square().sum()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all microbatches and return this rank's mean loss."""
    optimizer.zero_grad()
    row_count = sum(len(microbatch["states"]) for microbatch in microbatches)
    batch = {name: torch.cat([microbatch[name] for microbatch in microbatches]) for name in microbatches[0]}
    loss = summed_loss(model, batch) / row_count
    loss.backward()
    optimizer.step()
    return loss.item()
