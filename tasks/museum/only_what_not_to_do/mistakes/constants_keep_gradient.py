import torch


def token_objective(ratio, advantages, clip, dual_clip):
    """Return the clipped objective of each token, which is to be maximized."""
    plain = ratio * advantages
    clipped = ratio.clamp(1 - clip, 1 + clip) * advantages
    objective = torch.minimum(plain, clipped)
    if dual_clip is not None:
        bounded = torch.maximum(objective, dual_clip * advantages)
        objective = torch.where(advantages < 0, bounded, objective)
    return objective


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss of one batch."""
    ratio = (logprobs - old_logprobs)[mask].exp()
    return -token_objective(ratio, advantages[mask], clip, dual_clip).mean()
