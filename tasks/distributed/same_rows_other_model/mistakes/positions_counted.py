import torch
import torch.distributed as dist
from torch.nn import functional as F

IGNORED = -100


def next_token_labels(tokens, is_answer):
    """Return for each position the token that follows it, or IGNORED where that is not part of an answer."""
    labels = torch.where(is_answer, tokens, IGNORED)
    return F.pad(labels[:, 1:], (0, 1), value=IGNORED)


def answer_loss(model, batch):
    """Return the cross entropy of the answers' tokens."""
    logits = model(batch["tokens"])
    labels = next_token_labels(batch["tokens"], batch["is_answer"])
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")


def mean_for_log(loss):
    """Return the mean of the ranks' losses as a number."""
    value = loss.detach().clone()
    dist.all_reduce(value)
    return value.item() / dist.get_world_size()


def train_step(model, batch, optimizer):
    """Take one optimizer step; DDP averages the gradients over the ranks while backward runs."""
    optimizer.zero_grad()
    count = torch.tensor(batch["tokens"].numel())
    dist.all_reduce(count)
    loss = answer_loss(model, batch) * dist.get_world_size() / count
    loss.backward()
    optimizer.step()
    return mean_for_log(loss)
