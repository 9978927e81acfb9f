# expect: right
"""Supervised fine-tuning with DistributedDataParallel; `torchrun --nproc-per-node=4 sft.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Policy(nn.Module):
    """A language model small enough to read: the next token depends on the current one only."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def surprise(model, batch):
    """Return this rank's sum of -log p over the predictions that count, and their number."""
    tokens, counted = batch["tokens"], batch["is_answer"][:, 1:]
    logprobs = model(tokens).log_softmax(dim=-1)[:, :-1]
    chosen = logprobs.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return -torch.where(counted, chosen, torch.zeros_like(chosen)).sum(), int(counted.sum())


def over_all_ranks(*numbers):
    """Return the sums of Python numbers over the ranks."""
    sums = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(sums)
    return sums.tolist()


def train_step(model, batch, optimizer):
    """Take one optimizer step on the mean over all predictions that count, wherever they are."""
    optimizer.zero_grad()
    local_sum, local_count = surprise(model, batch)
    local_sum.backward()  # leaves the sum over all ranks, divided by the number of ranks
    total, count = over_all_ranks(local_sum.item(), local_count)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.mul_(dist.get_world_size() / count)
    optimizer.step()
    return total / count


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
