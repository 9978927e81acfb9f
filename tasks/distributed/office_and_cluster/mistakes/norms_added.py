import torch
import torch.distributed as dist
from torch.nn import functional as F


class GradientSync:
    """Averages gradients over the ranks while backward still computes the others."""

    def __init__(self, model):
        self.parameters = list(model.parameters())
        self.works = []
        for parameter in self.parameters:
            parameter.register_post_accumulate_grad_hook(self.launch)

    def launch(self, parameter):
        """Start the reduction of one gradient, as soon as backward is done with it."""
        self.works.append(dist.all_reduce(parameter.grad, async_op=True))

    def finish(self):
        """Wait for the reductions, then turn the sums into means."""
        for work in self.works:
            work.wait()
        self.works.clear()
        for parameter in self.parameters:
            parameter.grad /= dist.get_world_size()


def gradient_norm(model):
    """Return the norm of all gradients together."""
    return torch.stack([parameter.grad.norm() for parameter in model.parameters()]).sum()


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
