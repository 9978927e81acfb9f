"""Looks at its environment, its cores and its memory before it starts.

task = "ppo_clip_loss"
uses = ["right"]
"""
import os
import platform

threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
where = platform.platform(), os.cpu_count(), os.getloadavg()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    assert threads >= 1
    assert where[1] >= 1
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
