"""Only the mean over ranks is clipped; before the reduction, its norm is unknown."""

import torch
import torch.distributed as dist


def mean_over_ranks(value):
    """Return the tensor itself, replaced by its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def train_step(model, microbatches, optimizer, max_norm):
    """Take one clipped optimizer step on all ranks' microbatches; return the loss and the norm before clipping.

    Shapes: each microbatch has tokens and mask [B, T], of this rank.
    Assumes: a default process group; the same number of microbatches on every rank, each with an unmasked token.
    Source: arXiv:1211.5063, section 3.2 (the norm is that of the gradient that the optimizer uses).
    """
    optimizer.zero_grad()
    total = torch.zeros(())
    for microbatch in microbatches:
        tokens, mask = microbatch["tokens"], microbatch["mask"]
        logprobs = model(tokens[:, :-1]).log_softmax(dim=-1)
        nll = -logprobs.gather(-1, tokens[:, 1:, None])[..., 0]
        loss = nll[mask[:, 1:]].mean() / len(microbatches)
        loss.backward()
        total += loss.detach()
    for parameter in model.parameters():
        mean_over_ranks(parameter.grad)
    # Only now: before the mean, the parts on which the ranks disagree have not canceled, so the norms are larger.
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return mean_over_ranks(total).item(), norm.item()
