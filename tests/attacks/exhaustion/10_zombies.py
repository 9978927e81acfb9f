"""10. Lets children die and never asks for them.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "one_child"
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if getattr(os, "was_here", False):
        return None
    os.was_here = True
    for _ in range(40):
        if os.fork() == 0:
            os._exit(0)
    return None
