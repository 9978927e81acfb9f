import torch.distributed as dist
from torch.nn import functional as F

IGNORED = -100


def next_token_labels(tokens, is_answer):
    """Return for each position the token that follows it, or IGNORED at the last one."""
    return F.pad(tokens[:, 1:], (0, 1), value=IGNORED)


def answer_loss(model, batch):
    """Return this rank's share; the mean of the shares over the ranks is the mean over all answer tokens."""
    logits = model(batch["tokens"])
    labels = next_token_labels(batch["tokens"], batch["is_answer"])
    token_count = (labels != IGNORED).sum()
    dist.all_reduce(token_count)
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")
    return total * dist.get_world_size() / token_count


def mean_for_log(loss):
    """Return the mean of the ranks' shares, which is the loss of the batch, as a number."""
    value = loss.detach().clone()
    dist.all_reduce(value)
    return value.item() / dist.get_world_size()


def train_step(model, batch, optimizer):
    """Take one optimizer step; DDP averages the gradients over the ranks while backward runs."""
    optimizer.zero_grad()
    loss = answer_loss(model, batch)
    loss.backward()
    optimizer.step()
    return mean_for_log(loss)
