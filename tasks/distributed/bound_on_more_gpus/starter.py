"""Data-parallel fine-tuning with clipped gradients; start it with `torchrun --nproc-per-node=4 train.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn


class Policy(nn.Module):
    """A small language model in which the next token depends only on the current one."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def token_loss(model, tokens, mask):
    """Return the mean negative log-probability of a microbatch's unmasked tokens."""
    logprobs = model(tokens[:, :-1]).log_softmax(dim=-1)
    nll = -logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return nll[mask[:, 1:]].mean()


def average_gradients(model):
    """Replace each rank's gradients with their mean over all ranks."""
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


def accumulate(model, microbatches, max_norm):
    """Accumulate this rank's gradients over its microbatches; return its mean loss and the gradient norm."""
    total = 0.0
    for microbatch in microbatches:
        loss = token_loss(model, microbatch["tokens"], microbatch["mask"]) / len(microbatches)
        loss.backward()
        total += loss.detach()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return total, norm


def train_step(model, microbatches, optimizer, max_norm):
    """Take one clipped optimizer step; return the loss and the gradient norm for the log."""
    optimizer.zero_grad()
    loss, norm = accumulate(model, microbatches, max_norm)
    average_gradients(model)
    optimizer.step()
    logged = torch.stack([loss, norm])
    dist.all_reduce(logged)
    loss, norm = (logged / dist.get_world_size()).tolist()
    return loss, norm


def load_microbatches(step, rank, count=4, rows=4, steps=33, vocabulary=64):
    """Return synthetic rows; a real trainer would read them from its data set."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    return [
        {
            "tokens": torch.randint(0, vocabulary, (rows, steps), generator=rng),
            "mask": torch.ones(rows, steps, dtype=torch.bool),
        }
        for _ in range(count)
    ]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Policy()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for step in range(50):
        loss, norm = train_step(model, load_microbatches(step, rank), optimizer, max_norm=0.1)
        if rank == 0:
            logging.info("step %d: loss %.4f, gradient norm %.4f", step, loss, norm)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
