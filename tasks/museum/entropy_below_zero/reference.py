"""Every number is computed from the tokens of the answers alone; padding gets a reward of 0 and no other part."""

import torch


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the rewards, [B, T], and the mean divergence and the entropy estimate, 0-dim each.

    Assumes: the mask of every row begins with at least one true entry, followed only by false ones after the last one.
    Source: https://github.com/huggingface/trl/pull/6121 (padding does not count), with a mean over tokens.
    """
    rewards = torch.zeros_like(logits[..., 0])
    divergence, surprise, count = 0.0, 0.0, 0
    for i, length in enumerate(mask.sum(dim=1).tolist()):
        chosen = torch.arange(length), tokens[i, :length]
        logprobs = logits[i, :length].log_softmax(dim=1)[chosen]
        ref_logprobs = ref_logits[i, :length].log_softmax(dim=1)[chosen]
        rewards[i, :length] = kl_weight * (ref_logprobs - logprobs)
        rewards[i, length - 1] += scores[i]
        divergence = divergence + (logprobs - ref_logprobs).sum()
        surprise = surprise - logprobs.sum()
        count += length
    return rewards, divergence / len(tokens), surprise / count
