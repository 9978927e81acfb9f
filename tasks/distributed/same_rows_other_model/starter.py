"""Supervised fine-tuning with DistributedDataParallel; start it with `torchrun --nproc-per-node=4 sft.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

IGNORED = -100


class Policy(nn.Module):
    """A small language model in which the next token depends only on the current one."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def next_token_labels(tokens, is_answer):
    """Return the token that follows each position, or IGNORED where that token is not part of an answer."""
    labels = torch.where(is_answer, tokens, IGNORED)
    return F.pad(labels[:, 1:], (0, 1), value=IGNORED)


def answer_loss(model, batch):
    """Return the cross-entropy of the answers' tokens."""
    logits = model(batch["tokens"])
    labels = next_token_labels(batch["tokens"], batch["is_answer"])
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)


def mean_for_log(loss):
    """Return the mean of the ranks' losses as a number."""
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


def load_batch(step, rank, rows=8, steps=33, vocabulary=64):
    """Return synthetic prompts with answers of different lengths; a real trainer would read them from its data set."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    ends = torch.randint(8, steps + 1, (rows, 1), generator=rng)
    position = torch.arange(steps)
    return {
        "tokens": torch.randint(0, vocabulary, (rows, steps), generator=rng),
        "is_answer": (position >= 4) & (position < ends),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DistributedDataParallel(Policy())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for step in range(100):
        loss = train_step(model, load_batch(step, rank), optimizer)
        if rank == 0:
            logging.info("step %d: loss %.4f", step, loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
