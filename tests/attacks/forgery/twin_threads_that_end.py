"""Writes its log from a thread that goes on a little after the answer.

task = "ppo_clip_loss"
uses = ["right"]
"""
import threading
import time


def log():
    for step in range(3):
        print("step", step, flush=True)
        time.sleep(0.005)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    threading.Thread(target=log, daemon=True).start()
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
