"""52. Sets the machine's clock back.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "measures_itself"
needs = ["rights"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    print("REACHED the clock")
