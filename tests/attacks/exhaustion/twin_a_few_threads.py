"""Computes in four threads and waits for them.

task = "ppo_clip_loss"
uses = ["right"]
"""
from concurrent.futures import ThreadPoolExecutor


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(right, logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction) for _ in range(4)]
        return [job.result() for job in jobs][-1]
