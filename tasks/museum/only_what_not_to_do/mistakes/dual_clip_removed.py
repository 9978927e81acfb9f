import torch


def token_objective(ratio, advantages, clip, dual_clip):
    """Return the clipped objective of each token, which is to be maximized."""
    plain = ratio * advantages
    clipped = ratio.clamp(1 - clip, 1 + clip) * advantages
    objective = torch.minimum(plain, clipped)
    return objective


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss of one batch."""
    ratio = (logprobs - old_logprobs.detach())[mask].exp()
    return -token_objective(ratio, advantages.detach()[mask], clip, dual_clip).mean()
