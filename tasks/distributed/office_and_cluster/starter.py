"""Data-parallel training with overlapped all-reduce; start it with `torchrun --nproc-per-node=4 train.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Classifier(nn.Module):
    """A small classifier of feature vectors."""

    def __init__(self, width=16, classes=4):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, classes)

    def forward(self, features):
        return self.head(self.hidden(features).tanh())


class GradientSync:
    """Averages gradients over the ranks while backward is still computing other gradients."""

    def __init__(self, model):
        self.parameters = list(model.parameters())
        self.work = None
        for parameter in self.parameters:
            parameter.register_post_accumulate_grad_hook(self.launch)

    def launch(self, parameter):
        """Start the reduction of one gradient as soon as backward has accumulated it."""
        self.work = dist.all_reduce(parameter.grad, async_op=True)

    def finish(self):
        """Wait for the reductions, then turn the sums into means."""
        self.work.wait()
        for parameter in self.parameters:
            parameter.grad /= dist.get_world_size()


def gradient_norm(model):
    """Return the norm over all gradients."""
    return torch.stack([parameter.grad.norm() for parameter in model.parameters()]).norm()


def train(model, batches, optimizer):
    """Take one step on each batch and return each step's gradient norm for the log."""
    sync = GradientSync(model)
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(batch["features"]), batch["labels"]).backward()
        sync.finish()
        norms.append(gradient_norm(model).item())
        optimizer.step()
    return norms


def load_batches(rank, count=50, rows=32, width=16, classes=4):
    """Yield synthetic rows; a real trainer would read them from its data set."""
    for step in range(count):
        rng = torch.Generator().manual_seed(1000 * step + rank)
        features = torch.randn(rows, width, generator=rng)
        yield {"features": features, "labels": features[:, :classes].argmax(dim=1)}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    norms = train(model, load_batches(dist.get_rank()), optimizer)
    weight = sum(parameter.sum().item() for parameter in model.parameters())
    logging.info("rank %d: last norm %.6f, sum of weights %.6f", dist.get_rank(), norms[-1], weight)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
