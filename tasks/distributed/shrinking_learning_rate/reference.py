"""backward() runs on this rank's own loss; the value that is reduced for the log has no gradient."""

import torch
import torch.distributed as dist


def mean_over_ranks(value):
    """Return the tensor itself, replaced by its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def own_share(model, batch):
    """Return this rank's share of the token-mean loss; the mean of the shares over ranks is that loss."""
    logprobs = token_logprobs(model, batch["tokens"])
    mask = batch["mask"][:, 1:]
    per_token = -batch["advantages"][:, None] * logprobs
    token_count = mask.sum()
    dist.all_reduce(token_count)
    return torch.where(mask, per_token, 0.0).sum() * dist.get_world_size() / token_count


def train_step(model, batch, optimizer):
    """Take one optimizer step on the batch of all ranks and return its token-mean loss.

    Shapes: batch has tokens and mask [B, T] and advantages [B], of this rank.
    Assumes: a default process group; at least one unmasked token over all ranks.
    Source: arXiv:2006.15704, section 3 (gradients are averaged after backward).
    """
    optimizer.zero_grad()
    share = own_share(model, batch)
    # Not mean_over_ranks(share): c10d does not differentiate through all_reduce, so only the division would affect the
    # gradient.
    share.backward()
    for parameter in model.parameters():
        mean_over_ranks(parameter.grad)
    optimizer.step()
    return mean_over_ranks(share.detach()).item()
