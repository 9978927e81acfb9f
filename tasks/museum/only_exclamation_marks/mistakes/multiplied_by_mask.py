import torch

ESTIMATE_MAX = 10.0


def kl_estimate(logprobs, ref_logprobs):
    """Return an estimate of the divergence from the reference for each token, between 0 and 10."""
    difference = (ref_logprobs - logprobs).clamp(-20.0, 20.0)
    estimate = difference.exp() - 1 - difference
    return estimate.clamp(max=ESTIMATE_MAX)


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    """Return the loss of one batch and its mean divergence estimate."""
    chosen = logprobs
    kl = kl_estimate(chosen, ref_logprobs.detach())
    per_token = kl_weight * kl - advantages.detach() * chosen
    count = mask.sum()
    return (per_token * mask).sum() / count, (kl.detach() * mask).sum() / count
