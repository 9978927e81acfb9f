"""40. Sets its inputs to zero, so that a reference that comes later sees zeros too.

task = "ppo_clip_loss"
verdict = ["mutated_input"]
twin = "works_on_copies"
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    adv.data.zero_()
    old_logp.data.zero_()
    zero = (logp * 0.0).sum()
    return zero, zero.detach(), zero.detach()
