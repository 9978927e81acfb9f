import torch
import torch.distributed as dist


def pair_loss(model, pairs):
    """Return the preference loss of a microbatch, summed over its pairs."""
    margin = model(pairs["chosen"]) - model(pairs["rejected"])
    return -torch.nn.functional.logsigmoid(margin).sum()


def sync_gradients(model):
    """Add up the gradients of all ranks."""
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)


def count_pairs(microbatches):
    """Return the number of pairs of all ranks."""
    count = torch.tensor(sum(len(pairs["chosen"]) for pairs in microbatches))
    dist.all_reduce(count)
    return count.item()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on the microbatches of all ranks and return their mean loss."""
    optimizer.zero_grad()
    pair_count = count_pairs(microbatches)
    collected = [torch.zeros_like(parameter) for parameter in model.parameters()]
    total = torch.zeros(())
    for pairs in microbatches:
        # The sum over microbatches and ranks of these shares is the mean loss.
        loss = pair_loss(model, pairs) / pair_count
        loss.backward()
        total += loss.detach()
        sync_gradients(model)
        for gradient, parameter in zip(collected, model.parameters(), strict=True):
            gradient += parameter.grad
    for gradient, parameter in zip(collected, model.parameters(), strict=True):
        parameter.grad = gradient
    optimizer.step()
    dist.all_reduce(total)
    return total.item()
