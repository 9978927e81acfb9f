"""Policy-gradient training with a penalty on the divergence from the reference; start it with `python train.py`."""

import logging

import torch
from torch import nn
from torch.func import functional_call


class Policy(nn.Module):
    """A small language model in which the next token depends only on the current one."""

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
    """Return the policy's current weights, stored outside the GPU's memory."""
    return {name: tensor.detach().cpu() for name, tensor in policy.state_dict().items()}


def reference_logprobs(policy, weights, tokens):
    """Return the log-probabilities of the tokens if the policy had these weights, without a gradient."""
    on_device = {name: tensor.to(tokens.device) for name, tensor in weights.items()}
    with torch.no_grad():
        return token_logprobs(functional_call(policy, on_device, (tokens,)), tokens)


def kl_estimate(logprobs, ref_logprobs):
    """Return a per-token estimate of the divergence from the reference that is never negative."""
    difference = ref_logprobs - logprobs
    return difference.exp() - 1 - difference


def policy_loss(policy, reference, batch, kl_weight):
    """Return the loss of one batch and its mean divergence from the reference."""
    logprobs = token_logprobs(policy(batch["tokens"]), batch["tokens"])
    kl = kl_estimate(logprobs, reference_logprobs(policy, reference, batch["tokens"]))
    mask = batch["mask"][:, 1:]
    per_token = kl_weight * kl - batch["advantages"][:, None] * logprobs
    return per_token[mask].mean(), kl[mask].mean()


def train(policy, batches, optimizer, kl_weight):
    """Take one step on each batch and return each step's loss and divergence."""
    reference = snapshot(policy)
    history = []
    for batch in batches:
        optimizer.zero_grad()
        loss, kl = policy_loss(policy, reference, batch, kl_weight)
        loss.backward()
        optimizer.step()
        history.append({"loss": loss.item(), "kl": kl.item()})
    return history


def load_batches(count, rows=8, steps=33, vocabulary=64):
    """Yield synthetic answers; a real trainer would get them from its rollout engine."""
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
