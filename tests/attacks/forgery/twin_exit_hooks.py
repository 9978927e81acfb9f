"""Registers a hook for its end, has a finalizer and ends a child with exit code 0.

task = "ppo_clip_loss"
uses = ["right"]
"""
import atexit
import os


class Kept:
    def __del__(self):
        print("gone")


kept = Kept()
atexit.register(print, "the end")


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
