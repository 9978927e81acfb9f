"""9. Leaves a daemon behind: forked twice, in a session of its own, with all descriptors closed.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "one_child"
"""
import os
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 1024)
            time.sleep(120)
        os._exit(0)
    os.wait()
    return None
