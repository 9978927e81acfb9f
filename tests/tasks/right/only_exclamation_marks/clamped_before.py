import torch

ESTIMATE_MAX = 10.0


def kl_estimate(logprobs, ref_logprobs):
    difference = ref_logprobs - logprobs
    # Beyond 4 either way the exponential is not needed: the estimate at 4 is 49.6; at -12 it is above 10 and linear.
    safe = difference.clamp(max=4.0)
    estimate = safe.exp() - 1 - safe
    return torch.where(estimate > ESTIMATE_MAX, ESTIMATE_MAX, estimate)


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    chosen = logprobs[mask]
    kl = kl_estimate(chosen, ref_logprobs.detach()[mask])
    per_token = kl_weight * kl - advantages.detach()[mask] * chosen
    return per_token.mean(), kl.detach().mean()
