# expect: right
"""Data-parallel training of a reward model; `torchrun --nproc-per-node=4 reward.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Scorer(nn.Module):
    """A reward model small enough to read: it scores a vector of features."""

    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, features):
        return self.head(self.hidden(features).tanh()).squeeze(-1)


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()


def gather_margins(margin):
    """Return the margins of all ranks; every rank has to call it."""
    own = margin.detach().contiguous()
    parts = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, own)
    return torch.cat(parts)


class Log:
    """Keeps a line whenever one is due; only rank 0 remembers it."""

    def __init__(self, log_every):
        self.log_every = log_every
        self.lines = []

    def record(self, step, margin):
        if step % self.log_every:
            return
        everybody = gather_margins(margin)
        if dist.get_rank() != 0:
            return
        self.lines.append(
            {
                "step": step,
                "loss": F.softplus(-everybody).mean().item(),
                "accuracy": (everybody > 0).double().mean().item(),
                "margin": everybody.mean().item(),
            }
        )


def train(model, batches, optimizer, log_every):
    """Take one step on each batch; return what rank 0 has logged, one dict for every `log_every` steps."""
    log = Log(log_every)
    step = 0
    for batch in batches:
        step += 1
        margin = model(batch["chosen"]) - model(batch["rejected"])
        optimizer.zero_grad()
        (-F.logsigmoid(margin)).mean().backward()
        average_gradients(model)
        log.record(step, margin)
        optimizer.step()
    return log.lines


def load_batches(rank, count=50, pairs=8, width=16):
    """Yield made-up pairs of a better and a worse answer; a real trainer reads them from its data set."""
    for step in range(count):
        rng = torch.Generator().manual_seed(1000 * step + rank)
        rejected = torch.randn(pairs, width, generator=rng)
        yield {"chosen": rejected + 0.3, "rejected": rejected}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = Scorer()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for told in train(model, load_batches(dist.get_rank()), optimizer, log_every=10):
        logging.info("%s", told)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
