"""Data-parallel policy-gradient training; `torchrun --nproc-per-node=4 train.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn


class Policy(nn.Module):
    """A language model small enough to read: the next token depends on the current one only."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def summed_loss(model, batch):
    """Return the policy-gradient loss of this rank's tokens, summed, and their number."""
    logprobs = token_logprobs(model, batch["tokens"])
    mask = batch["mask"][:, 1:]
    per_token = -batch["advantages"][:, None] * logprobs
    return per_token.masked_fill(~mask, 0.0).sum(), mask.sum()


def train_step(model, batch, optimizer):
    """Take one optimizer step and return the loss of the whole batch for the log."""
    parameters = list(model.parameters())
    total, count = summed_loss(model, batch)
    slopes = torch.autograd.grad(total, parameters)
    # One vector of sums over tokens: the gradients, the loss and the count cross the network together.
    flat = torch.cat([slope.flatten() for slope in slopes] + [total.detach()[None], count.to(total.dtype)[None]])
    dist.all_reduce(flat)
    flat, loss = flat[:-2] / flat[-1], flat[-2] / flat[-1]
    for parameter, part in zip(parameters, flat.split([p.numel() for p in parameters]), strict=True):
        parameter.grad = part.view_as(parameter).clone()
    optimizer.step()
    return loss.item()


def load_batch(step, rank, rows=8, steps=33, vocabulary=64):
    """Return made-up answers; a real trainer takes them from its rollout engine."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    lengths = torch.randint(4, steps + 1, (rows, 1), generator=rng)
    return {
        "tokens": torch.randint(0, vocabulary, (rows, steps), generator=rng),
        "mask": torch.arange(steps) < lengths,
        "advantages": torch.randn(rows, generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Policy()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for step in range(100):
        loss = train_step(model, load_batch(step, rank), optimizer)
        if rank == 0:
            logging.info("step %d: loss %.4f", step, loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
