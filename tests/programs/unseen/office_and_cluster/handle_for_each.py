# expect: right
"""Data-parallel training that hides the network behind backward; `torchrun --nproc-per-node=4 train.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Classifier(nn.Module):
    """A model of the kind that tells good answers from bad ones, small enough to read."""

    def __init__(self, width=16, classes=4):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, classes)

    def forward(self, features):
        return self.head(self.hidden(features).tanh())


class GradientSync:
    """Averages gradients over the ranks while backward still computes the others."""

    def __init__(self, model):
        self.pending = []
        self.hooks = [
            parameter.register_post_accumulate_grad_hook(self.launch)
            for parameter in model.parameters()
            if parameter.requires_grad
        ]

    def launch(self, parameter):
        """Start the reduction of one gradient, as soon as backward is done with it."""
        self.pending.append((parameter, dist.all_reduce(parameter.grad, async_op=True)))

    def finish(self):
        """Wait for every reduction of this step and turn its sum into a mean."""
        for parameter, handle in self.pending:
            handle.wait()
            parameter.grad /= dist.get_world_size()
        self.pending.clear()

    def remove(self):
        """Take the hooks off the model again."""
        for hook in self.hooks:
            hook.remove()


def gradient_norm(model):
    """Return the norm of all gradients together."""
    return torch.stack([parameter.grad.norm() for parameter in model.parameters()]).norm()


def train(model, batches, optimizer):
    """Take one step on each batch and return each step's gradient norm for the log."""
    sync = GradientSync(model)
    norms = []
    try:
        for batch in batches:
            optimizer.zero_grad()
            F.cross_entropy(model(batch["features"]), batch["labels"]).backward()
            sync.finish()
            norms.append(gradient_norm(model).item())
            optimizer.step()
    finally:
        sync.remove()
    return norms


def load_batches(rank, count=50, rows=32, width=16, classes=4):
    """Yield made-up rows; a real trainer reads them from its data set."""
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
