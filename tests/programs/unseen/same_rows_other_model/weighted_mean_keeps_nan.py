# expect: wrong
# mistake: the mean of each rank is weighted with its share of the predictions, so a rank without predictions still gives 0/0 and every rank returns NaN
"""Supervised fine-tuning with DistributedDataParallel; `torchrun --nproc-per-node=4 sft.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

IGNORED = -100


class Policy(nn.Module):
    """A language model small enough to read: the next token depends on the current one only."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def next_token_labels(tokens, is_answer):
    """Return for each position the token that follows it, or IGNORED where that is not part of an answer."""
    labels = torch.where(is_answer, tokens, IGNORED)
    return F.pad(labels[:, 1:], (0, 1), value=IGNORED)


def answer_loss(model, batch):
    """Return the cross entropy of the answers' tokens and their number."""
    logits = model(batch["tokens"])
    labels = next_token_labels(batch["tokens"], batch["is_answer"])
    mean = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
    return mean, (labels != IGNORED).sum()


def train_step(model, batch, optimizer):
    """Take one optimizer step; DDP averages the gradients over the ranks while backward runs."""
    optimizer.zero_grad()
    mean, count = answer_loss(model, batch)
    total = count.clone()
    dist.all_reduce(total)
    weighted = mean * (count / total)
    (weighted * dist.get_world_size()).backward()
    optimizer.step()
    told = weighted.detach().clone()
    dist.all_reduce(told)
    return told.item()


def load_batch(step, rank, rows=8, steps=33, vocabulary=64):
    """Return made-up prompts with answers of different lengths; a real trainer reads them from its data set."""
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
