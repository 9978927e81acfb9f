# expect: right
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


def policy_loss(model, batch):
    """Return this rank's part of the loss; the parts of all ranks add up to the loss of the batch."""
    mask = batch["mask"][:, 1:]
    count = mask.sum()
    dist.all_reduce(count)
    weight = batch["advantages"][:, None].expand_as(mask)[mask]
    return -(weight * token_logprobs(model, batch["tokens"])[mask]).sum() / count


def add_over_ranks(model, loss):
    """Add up the gradients of all ranks in place and return the sum of their losses."""
    parameters = list(model.parameters())
    present = torch.tensor([float(parameter.grad is not None) for parameter in parameters])
    dist.all_reduce(present, op=dist.ReduceOp.MAX)
    used = [parameter for parameter, flag in zip(parameters, present) if flag > 0]
    pieces = [loss.detach().double().reshape(1)]
    for parameter in used:
        gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        pieces.append(gradient.detach().double().reshape(-1))
    bucket = torch.cat(pieces)
    dist.all_reduce(bucket)
    sums = bucket.split([len(piece) for piece in pieces])
    for parameter, total in zip(used, sums[1:]):
        parameter.grad = total.view(parameter.shape).to(parameter.dtype)
    return sums[0].item()


def train_step(model, batch, optimizer):
    """Take one optimizer step and return the loss of the whole batch for the log."""
    optimizer.zero_grad(set_to_none=True)
    loss = policy_loss(model, batch)
    loss.backward()
    batch_loss = add_over_ranks(model, loss)
    optimizer.step()
    return batch_loss


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
