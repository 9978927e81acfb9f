import torch


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Clip the ratio on one side only: above for good tokens; below, and far above, for bad ones."""
    ratio = torch.where(mask, logprobs - old_logprobs.detach(), 0.0).exp()
    adv = torch.where(mask, advantages.detach(), 0.0)
    good = ratio.clamp(max=1 + clip)
    bad = ratio.clamp(min=1 - clip, max=dual_clip)
    objective = torch.where(adv > 0, good, bad) * adv
    return -(objective.sum() / mask.sum())
