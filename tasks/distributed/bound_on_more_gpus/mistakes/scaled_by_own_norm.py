import torch
import torch.distributed as dist


def token_loss(model, tokens, mask):
    """Return the mean negative log-probability of a microbatch's unmasked tokens."""
    logprobs = model(tokens[:, :-1]).log_softmax(dim=-1)
    nll = -logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return nll[mask[:, 1:]].mean()


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean."""
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


def accumulate(model, microbatches):
    """Add up this rank's gradients over its microbatches and return its mean loss."""
    total = 0.0
    for microbatch in microbatches:
        loss = token_loss(model, microbatch["tokens"], microbatch["mask"]) / len(microbatches)
        loss.backward()
        total += loss.detach()
    return total


def train_step(model, microbatches, optimizer, max_norm):
    """Take one clipped optimizer step; return the loss and the gradient's norm for the log."""
    optimizer.zero_grad()
    loss = accumulate(model, microbatches)
    own_norm = torch.stack([parameter.grad.norm() for parameter in model.parameters()]).norm()
    average_gradients(model)
    norm = torch.stack([parameter.grad.norm() for parameter in model.parameters()]).norm()
    for parameter in model.parameters():
        parameter.grad *= (max_norm / (own_norm + 1e-6)).clamp(max=1.0)
    optimizer.step()
    dist.all_reduce(loss)
    return loss.item() / dist.get_world_size(), norm.item()
