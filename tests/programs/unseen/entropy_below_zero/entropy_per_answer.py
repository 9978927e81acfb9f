# expect: wrong
# mistake: The entropy is the mean over the answers of the sum over their tokens, not a mean per token.
"""The rewards and the logged metrics of a PPO rollout; start it with `python rollout.py`."""

import logging

import torch

# Padding contributes nothing to any sum.
INVALID = 0.0


def logprobs_of(logits, tokens, mask):
    """Return the log-probability of every sampled token, [B, T], with marked padding."""
    logprobs = logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)
    return logprobs.masked_fill(~mask, INVALID)


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the reward of every token, the mean divergence of an answer, and the entropy estimate for the log."""
    logprobs = logprobs_of(logits, tokens, mask)
    ref_logprobs = logprobs_of(ref_logits, tokens, mask)
    divergence = logprobs - ref_logprobs
    rewards = -kl_weight * divergence
    last = mask.sum(dim=1) - 1
    rewards[torch.arange(len(scores)), last] += scores
    kl = divergence.sum(dim=1).mean()
    entropy = -logprobs.sum(dim=1).mean()
    return rewards, kl, entropy
