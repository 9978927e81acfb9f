"""65. Sends a whole set of records and one byte more.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "odd_sizes"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    send(*(zeros(run, shape) for run, shape in enumerate(shapes())), b"\x00")
    time.sleep(60)
