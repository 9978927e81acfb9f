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


def accumulate(model, microbatches):
    """Add up this rank's gradients over its microbatches; return its mean loss."""
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
    average_gradients(model)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    logged = torch.stack([loss, norm])
    dist.all_reduce(logged)
    loss, norm = (logged / dist.get_world_size()).tolist()
    return loss, norm
