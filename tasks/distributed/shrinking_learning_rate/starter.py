"""Data-parallel policy-gradient training; start it with `torchrun --nproc-per-node=4 train.py`."""

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


def mean_over_ranks(value):
    """Replace a tensor with its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def policy_loss(model, batch):
    """Return the policy-gradient loss, averaged over the tokens of all ranks."""
    logprobs = token_logprobs(model, batch["tokens"])
    mask = batch["mask"][:, 1:]
    per_token = -batch["advantages"][:, None] * logprobs
    token_count = mask.sum()
    dist.all_reduce(token_count)
    # The gradients are averaged over ranks later, hence the world size here.
    loss = torch.where(mask, per_token, 0.0).sum() * dist.get_world_size() / token_count
    # The ranks' answers have different lengths, so give every rank the loss of the whole batch.
    return mean_over_ranks(loss)


def average_gradients(model):
    """Replace each rank's gradients with their mean over all ranks."""
    for parameter in model.parameters():
        mean_over_ranks(parameter.grad)


def train_step(model, batch, optimizer):
    """Take one optimizer step and return the loss of the whole batch for the log."""
    optimizer.zero_grad()
    loss = policy_loss(model, batch)
    loss = mean_over_ranks(loss)  # all ranks must use the same loss for the step
    loss.backward()
    average_gradients(model)
    optimizer.step()
    return loss.item()


def load_batch(step, rank, rows=8, steps=33, vocabulary=64):
    """Return synthetic answers; a real trainer would get them from its rollout engine."""
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
