"""Measures its own time with every clock.

task = "ppo_clip_loss"
uses = ["right"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    began = time.perf_counter(), time.monotonic_ns(), time.process_time()
    answer = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    print(time.perf_counter() - began[0], time.monotonic_ns() - began[1], time.process_time() - began[2])
    return answer
