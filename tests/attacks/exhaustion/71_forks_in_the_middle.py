"""71. Forks while it answers, so that two processes go on as one program (there: after the device is in use).

task = "ppo_clip_loss"
verdict = ["forbidden", "wrong_value"]
twin = "one_child"
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    os.fork()
    zero = (logp * 0.0).sum()
    return zero, zero.detach(), zero.detach()
