"""Has a short way out for an empty mask and for a single token.

task = "ppo_clip_loss"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if mask.numel() == 1:
        return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if not mask.any():
        zero = (logp[mask] * 0.0).sum()
        return zero, zero.detach(), zero.detach()
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
