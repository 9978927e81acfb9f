"""Looks up who called it, collects garbage and sizes its objects, as a profiler does.

task = "ppo_clip_loss"
uses = ["right"]
"""
import gc
import inspect
import sys


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    callers = [caller.function for caller in inspect.stack(context=0)]
    assert callers[0] == "ppo_clip_loss"
    print(gc.collect() >= 0, len(gc.get_objects()) > 0, sys.getsizeof(adv), sys._getframe().f_lineno)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
