import torch
import torch.distributed as dist


def flatten(tensors):
    """Return all tensors in one vector, so that one call carries them over the network."""
    return torch.cat([tensor.flatten() for tensor in tensors])


def unflatten_into(tensors, flat):
    """Write the parts of a vector back into the tensors it was made of."""
    for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))


def sync_gradients(model):
    """Make the gradients equal on all ranks."""
    parameters = dict(model.named_parameters())
    unused = {name for name, parameter in parameters.items() if parameter.grad is None}
    gradients = [parameters[name].grad for name in parameters.keys() - unused]
    flat = flatten(gradients)
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    unflatten_into(gradients, flat)


def value_loss(model, batch):
    """Return the mean squared error of the predicted returns on this rank's states."""
    return (model(batch["states"]) - batch["returns"]).square().mean()


def train_step(model, batch, optimizer, max_norm):
    """Take one optimizer step on clipped gradients; return the loss and the gradient's norm for the log."""
    optimizer.zero_grad()
    loss = value_loss(model, batch)
    loss.backward()
    sync_gradients(model)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    logged = loss.detach().clone()
    dist.all_reduce(logged)
    return logged.item() / dist.get_world_size(), norm.item()
