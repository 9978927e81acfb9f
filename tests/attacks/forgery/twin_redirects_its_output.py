"""Collects what it prints in a text, and closes its standard output at the end.

task = "ppo_clip_loss"
uses = ["right"]
"""
import contextlib
import io
import os
import sys


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print("hidden")
    assert text.getvalue() == "hidden\n"
    sys.stdout = open(os.devnull, "w")
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
