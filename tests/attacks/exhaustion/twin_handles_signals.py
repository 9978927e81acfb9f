"""Ignores SIGTERM, catches SIGALRM and sends itself one.

task = "ppo_clip_loss"
uses = ["right"]
"""
import faulthandler
import os
import signal

seen = []
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
faulthandler.enable()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    os.kill(os.getpid(), signal.SIGALRM)
    assert seen
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
