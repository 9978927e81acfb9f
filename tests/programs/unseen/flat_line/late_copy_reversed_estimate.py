# expect: wrong
# mistake: the reference is copied only after the first step
# mistake: the estimate of the divergence takes the difference the other way round, policy minus reference
"""Policy-gradient training with a penalty on the way from the reference; `python train.py` starts it."""

import copy
import logging

import torch
from torch import nn


class Policy(nn.Module):
    """A language model small enough to read: the next token depends on the current one only."""

    def __init__(self, vocabulary=64, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def token_logprobs(logits, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    return logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def snapshot(policy):
    """Return a frozen copy of the policy."""
    return copy.deepcopy(policy).eval().requires_grad_(False)


def kl_estimate(logprobs, ref_logprobs):
    """Return the per-token estimate of the divergence from the reference, never negative."""
    log_ratio = logprobs - ref_logprobs
    return log_ratio.exp() - 1 - log_ratio


def policy_loss(policy, reference, batch, kl_weight):
    """Return the loss of one batch and its mean divergence from the reference."""
    tokens, mask = batch["tokens"], batch["mask"][:, 1:]
    logprobs = token_logprobs(policy(tokens), tokens)
    if reference is None:
        ref_logprobs = logprobs.detach()
    else:
        with torch.no_grad():
            ref_logprobs = token_logprobs(reference(tokens), tokens)
    kl = kl_estimate(logprobs, ref_logprobs)
    per_token = kl_weight * kl - batch["advantages"][:, None] * logprobs
    return per_token[mask].mean(), kl[mask].mean()


def train(policy, batches, optimizer, kl_weight):
    """Take one step on each batch and return each step's loss and divergence."""
    reference = None  # the first divergence is 0 by definition
    history = []
    for batch in batches:
        optimizer.zero_grad()
        loss, kl = policy_loss(policy, reference, batch, kl_weight)
        loss.backward()
        optimizer.step()
        if reference is None:
            reference = snapshot(policy)
        history.append({"loss": loss.item(), "kl": kl.item()})
    return history


def load_batches(count, rows=8, steps=33, vocabulary=64):
    """Yield made-up answers; a real trainer takes them from its rollout engine."""
    for step in range(count):
        rng = torch.Generator().manual_seed(step)
        lengths = torch.randint(4, steps + 1, (rows, 1), generator=rng)
        yield {
            "tokens": torch.randint(0, vocabulary, (rows, steps), generator=rng),
            "mask": torch.arange(steps) < lengths,
            "advantages": torch.randn(rows, generator=rng),
        }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)
    policy = Policy()
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.5)
    for step, told in enumerate(train(policy, load_batches(50), optimizer, kl_weight=0.1)):
        logging.info("step %d: loss %.4f, divergence %.6f", step, told["loss"], told["kl"])


if __name__ == "__main__":
    main()
