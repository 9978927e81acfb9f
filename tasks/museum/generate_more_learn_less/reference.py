"""A step's loss is a mean over the tokens of that step, so these are counted and not the tokens of the batch."""

import torch


def update(policy, microbatches, per_step, learning_rate):
    """Return the table after the last step, [V, V], and each step's loss as a number.

    Assumes: every step has at least one token with a loss.
    Source: arXiv:2503.14476, section 3.3 (the mean over all tokens of a step).
    """
    losses = []
    for start in range(0, len(microbatches), per_step):
        change = torch.zeros_like(policy, requires_grad=True)
        total, tokens = policy.new_zeros(()), 0
        for answers in microbatches[start : start + per_step]:
            before, after = answers["tokens"][:, :-1], answers["tokens"][:, 1:]
            counts = answers["mask"][:, 1:]
            logprobs = (policy + change).log_softmax(dim=1)[before, after]
            total = total - torch.where(counts, answers["advantages"][:, None] * logprobs, 0.0).sum()
            tokens += int(counts.sum())
        loss = total / tokens
        (gradient,) = torch.autograd.grad(loss, change)
        policy = policy - learning_rate * gradient
        losses.append(loss.item())
    return policy, losses
