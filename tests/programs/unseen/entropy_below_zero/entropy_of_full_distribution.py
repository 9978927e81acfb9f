# expect: wrong
# mistake: The entropy is the exact entropy of the policy's distribution over the vocabulary, averaged over the tokens, instead of the mean of minus the log-probability of the sampled tokens.
import torch


def gather_logprobs(logits, tokens):
    return torch.log_softmax(logits, dim=-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)


def token_entropy(logits):
    return torch.special.entr(logits.softmax(dim=-1)).sum(dim=-1)


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the reward of every token, the mean divergence of an answer, and the entropy estimate for the log."""
    logprobs = gather_logprobs(logits, tokens)
    ref_logprobs = gather_logprobs(ref_logits, tokens)
    divergence = torch.where(mask, logprobs - ref_logprobs, torch.zeros_like(logprobs))

    rewards = -kl_weight * divergence
    last = mask.sum(dim=1) - 1
    rewards[torch.arange(len(scores)), last] += scores

    kl = divergence.sum(dim=1).mean()
    entropy = token_entropy(logits)[mask].mean()
    return rewards, kl, entropy
