"""11. Recurses without end, with the limit taken away.

task = "ppo_clip_loss"
verdict = ["raised", "out_of_memory", "timed_out"]
twin = "raises_and_catches"
wall_seconds = 6
"""
import sys


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    sys.setrecursionlimit(2**30)

    class Deep:
        def __getattr__(self, name):
            return getattr(self, name + "x"[:1])

    return Deep().a
