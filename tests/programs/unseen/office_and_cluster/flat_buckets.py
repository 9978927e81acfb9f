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


class Bucket:
    """Some gradients in one flat buffer, with the handle of its reduction."""

    def __init__(self, parameters):
        self.parameters = parameters
        self.flat = torch.cat([parameter.grad.detach().reshape(-1) for parameter in parameters])
        self.flat /= dist.get_world_size()
        self.handle = dist.all_reduce(self.flat, async_op=True)

    def collect(self):
        """Wait, and put the means back where the optimizer looks for them."""
        self.handle.wait()
        sizes = [parameter.numel() for parameter in self.parameters]
        for parameter, piece in zip(self.parameters, self.flat.split(sizes)):
            parameter.grad.copy_(piece.view_as(parameter))


class GradientSync:
    """Reduces gradients in buckets while backward still computes the others."""

    def __init__(self, model, bucket_size=2):
        self.bucket_size = bucket_size
        self.ready = []
        self.buckets = []
        self.hooks = [p.register_post_accumulate_grad_hook(self.on_gradient) for p in model.parameters()]

    def on_gradient(self, parameter):
        self.ready.append(parameter)
        if len(self.ready) == self.bucket_size:
            self.flush()

    def flush(self):
        if self.ready:
            self.buckets.append(Bucket(self.ready))
            self.ready = []

    def finish(self):
        """Send what is left, then wait for all buckets."""
        self.flush()
        for bucket in self.buckets:
            bucket.collect()
        self.buckets = []

    def close(self):
        for hook in self.hooks:
            hook.remove()


def train(model, batches, optimizer):
    """Take one step on each batch and return each step's gradient norm for the log."""
    sync = GradientSync(model)
    norms = []
    for batch in batches:
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(batch["features"]), batch["labels"])
        loss.backward()
        sync.finish()
        squares = sum(p.grad.double().square().sum().item() for p in model.parameters())
        norms.append(squares**0.5)
        optimizer.step()
    sync.close()
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
