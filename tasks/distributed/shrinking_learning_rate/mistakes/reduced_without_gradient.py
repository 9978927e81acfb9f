import torch
import torch.distributed as dist


def mean_over_ranks(value):
    """Replace a tensor by its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def policy_loss(model, batch):
    """Return the policy-gradient loss, averaged over the tokens of all ranks."""
    logprobs = token_logprobs(model, batch["tokens"])
    mask = batch["mask"][:, 1:]
    per_token = -batch["advantages"][:, None] * logprobs
    token_count = mask.sum()
    dist.all_reduce(token_count)
    # The gradients are averaged over ranks later, hence the world size here.
    loss = torch.where(mask, per_token, 0.0).sum() * dist.get_world_size() / token_count
    # Ranks have answers of different lengths: make every rank see the loss of the whole batch.
    return mean_over_ranks(loss.detach()).requires_grad_()


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            mean_over_ranks(parameter.grad)


def train_step(model, batch, optimizer):
    """Take one optimizer step and return the loss of the whole batch for the log."""
    optimizer.zero_grad()
    loss = policy_loss(model, batch)
    loss.backward()
    average_gradients(model)
    optimizer.step()
    return loss.item()
