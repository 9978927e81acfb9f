"""Asks a harmless child for a number and waits for it.

task = "ppo_clip_loss"
uses = ["right"]
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, b"1")
        os._exit(0)
    os.waitpid(child, 0)
    os.close(theirs)
    factor = int(os.read(ours, 1))
    os.close(ours)
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return loss * factor, clipfrac, approx_kl
