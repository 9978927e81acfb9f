"""69. Lets native code touch address zero (there: a kernel that faults).

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "handles_signals"
"""
import ctypes


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return ctypes.string_at(0), 0, 0
