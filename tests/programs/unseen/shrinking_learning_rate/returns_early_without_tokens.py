# expect: wrong
# mistake: A rank without unmasked tokens leaves train_step early, while the others wait for it in the reductions.
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


def mean_over_ranks(value):
    """Replace a tensor by its mean over all ranks."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def policy_loss(model, batch):
    """Return this rank's share of the policy-gradient loss: its mean over ranks is the loss of the batch."""
    logprobs = token_logprobs(model, batch["tokens"])
    mask = batch["mask"][:, 1:]
    per_token = -batch["advantages"][:, None] * logprobs
    token_count = mask.sum()
    dist.all_reduce(token_count)
    # The gradients are averaged over ranks later, hence the world size here.
    return torch.where(mask, per_token, 0.0).sum() * dist.get_world_size() / token_count


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean; parameters that no rank used keep none."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    is_used = torch.tensor([parameter.grad is not None for parameter in parameters], dtype=torch.int64)
    dist.all_reduce(is_used)
    for parameter, uses in zip(parameters, is_used.tolist()):
        if uses == 0:
            continue
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        mean_over_ranks(parameter.grad)


def train_step(model, batch, optimizer):
    """Take one optimizer step and return the loss of the whole batch for the log."""
    optimizer.zero_grad()
    if not batch["mask"][:, 1:].any():
        return 0.0  # nothing to learn from
    loss = policy_loss(model, batch)
    loss.backward()
    average_gradients(model)
    optimizer.step()
    return mean_over_ranks(loss.detach().clone()).item()


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
