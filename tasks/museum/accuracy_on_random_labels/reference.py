"""The prompt lengths belong to pairs and the rows to sequences, so the lengths are repeated once per half."""

import torch
from torch.nn.functional import logsigmoid


def sequence_logprobs(model, sequences, starts, lengths):
    """Return the sum of the log-probabilities of the tokens from `starts` on, up to `lengths`, [B]."""
    position = torch.arange(1, sequences.shape[1])
    counts = (position >= starts[:, None]) & (position < lengths[:, None])
    logprobs = model[sequences[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, sequences[:, 1:, None]).squeeze(-1)
    return (of_tokens * counts).sum(dim=1)


def dpo_loss(policy, reference, batch, beta):
    """Return the loss of a batch of pairs, and the rewards of the chosen and of the rejected answers, [B] each.

    Shapes: policy, reference [V, V]; chosen, rejected [B, T] int64; the three lengths [B] int64.
    Assumes: the two sequences of a pair start with the same prompt of at least one token.
    Source: arXiv:2305.18290, eq. 7.
    """
    rewards = []
    for side in ("chosen", "rejected"):
        place = batch[side], batch["prompt_lengths"], batch[f"{side}_lengths"]
        own = sequence_logprobs(policy, *place)
        rewards.append(beta * (own - sequence_logprobs(reference.detach(), *place)))
    chosen, rejected = rewards
    return -logsigmoid(chosen - rejected).mean(), chosen.detach(), rejected.detach()
