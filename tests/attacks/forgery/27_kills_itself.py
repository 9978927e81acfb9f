"""27. Kills itself, and its parent too, where that is not its guardian.

task = "ppo_clip_loss"
verdict = ["raised", "out_of_memory"]
twin = "exit_hooks"
"""
import os
import signal


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    os.kill(os.getpid(), signal.SIGKILL)
