"""Data-parallel training of a reward model on pairs; start it with `torchrun --nproc-per-node=4 reward.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn


class Scorer(nn.Module):
    """A small reward model that scores a vector of features."""

    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, features):
        return self.head(self.hidden(features).tanh()).squeeze(-1)


def pair_loss(model, pairs):
    """Return the preference loss of a microbatch, summed over its pairs."""
    margin = model(pairs["chosen"]) - model(pairs["rejected"])
    return -torch.nn.functional.logsigmoid(margin).sum()


def sync_gradients(model):
    """Sum the gradients over all ranks."""
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)


def count_pairs(microbatches):
    """Return the number of pairs on all ranks."""
    count = torch.tensor(sum(len(pairs["chosen"]) for pairs in microbatches))
    dist.all_reduce(count)
    return count.item()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on the microbatches of all ranks and return their mean loss."""
    optimizer.zero_grad()
    pair_count = count_pairs(microbatches)
    total = torch.zeros(())
    for pairs in microbatches:
        # The sum of these shares over microbatches and ranks is the mean loss.
        loss = pair_loss(model, pairs) / pair_count
        loss.backward()
        total += loss.detach()
        sync_gradients(model)
    optimizer.step()
    dist.all_reduce(total)
    return total.item()


def load_microbatches(step, rank, count=4, width=16):
    """Return synthetic pairs of a better and a worse answer; a real trainer would read them from its data set."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    sizes = torch.randint(2, 6, (count,), generator=rng).tolist()
    rejected = [torch.randn(size, width, generator=rng) for size in sizes]
    return [{"chosen": part + 0.3, "rejected": part} for part in rejected]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Scorer()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for step in range(50):
        loss = train_step(model, load_microbatches(step, rank), optimizer)
        if rank == 0:
            logging.info("step %d: loss %.4f", step, loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
