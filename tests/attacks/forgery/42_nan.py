"""42. Returns NaN, which is not larger than any tolerance.

task = "ppo_clip_loss"
verdict = ["non_finite"]
twin = "nan_in_between"
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    nan = (logp * float("nan")).sum()
    return nan, nan.detach(), nan.detach()
