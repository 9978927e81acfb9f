"""Each rank's loss is its sum divided by the token count of all ranks, times the world size that DDP divides by."""

import torch
import torch.distributed as dist
from torch.nn import functional as F

IGNORED = -100


def next_token_labels(tokens, is_answer):
    """Return the token that follows each position, or IGNORED where that token is not part of an answer."""
    labels = torch.where(is_answer, tokens, IGNORED)
    return F.pad(labels[:, 1:], (0, 1), value=IGNORED)


def train_step(model, batch, optimizer):
    """Take one optimizer step on the batch of all ranks and return its token-mean loss.

    Shapes: batch has tokens and is_answer [B, T], of this rank.
    Assumes: a DistributedDataParallel model; at least one answer token to predict over all ranks.
    Source: arXiv:2006.15704, section 3 (gradients are averaged over ranks).
    """
    optimizer.zero_grad()
    labels = next_token_labels(batch["tokens"], batch["is_answer"])
    logits = model(batch["tokens"])
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")
    token_count = (labels != IGNORED).sum()
    dist.all_reduce(token_count)
    share = total * dist.get_world_size() / token_count
    share.backward()
    optimizer.step()
    logged = total.detach() / token_count
    dist.all_reduce(logged)
    return logged.item()
