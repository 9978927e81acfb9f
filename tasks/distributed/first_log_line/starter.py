"""Data-parallel training of a reward model; start it with `torchrun --nproc-per-node=4 reward.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Scorer(nn.Module):
    """A small reward model that scores a vector of features."""

    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, features):
        return self.head(self.hidden(features).tanh()).squeeze(-1)


def mean_over_ranks(value):
    """Return the mean of a tensor over all ranks."""
    total = value.detach().clone()
    dist.all_reduce(total)
    return total / dist.get_world_size()


def average_gradients(model):
    """Replace each rank's gradients with their mean over all ranks."""
    for parameter in model.parameters():
        parameter.grad = mean_over_ranks(parameter.grad)


def accuracy(scores_chosen, scores_rejected):
    """Return the share of pairs whose chosen answer has the higher score."""
    return (scores_chosen > scores_rejected).to(scores_chosen.dtype).mean()


def summary(metrics):
    """Return the metrics as numbers for the log, averaged over all ranks."""
    return {name: mean_over_ranks(value).item() for name, value in metrics.items()}


def train(model, batches, optimizer, log_every):
    """Take one step on each batch; return what rank 0 logged, one dict per `log_every` steps."""
    logged = []
    for step, batch in enumerate(batches, start=1):
        chosen, rejected = model(batch["chosen"]), model(batch["rejected"])
        loss = -F.logsigmoid(chosen - rejected).mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
        if dist.get_rank() == 0 and step % log_every == 0:
            metrics = {"loss": loss, "accuracy": accuracy(chosen, rejected), "margin": (chosen - rejected).mean()}
            logged.append({"step": step, **summary(metrics)})
    return logged


def load_batches(rank, count=50, pairs=8, width=16):
    """Yield synthetic pairs of a better and a worse answer; a real trainer would read them from its data set."""
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
