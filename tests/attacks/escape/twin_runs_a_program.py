"""Runs a small program and reads what it prints.

task = "ppo_clip_loss"
uses = ["right"]
"""
import subprocess


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    factor = int(subprocess.run(["/bin/echo", "1"], capture_output=True, check=True).stdout)
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return loss * factor, clipfrac, approx_kl
