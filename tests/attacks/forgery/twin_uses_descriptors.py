"""Opens, duplicates and closes pipes and sockets of its own.

task = "ppo_clip_loss"
uses = ["right"]
"""
import os
import socket


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    ours, theirs = os.pipe()
    os.write(theirs, b"x")
    assert os.read(ours, 1) == b"x"
    left, other = socket.socketpair()
    left.close()
    other.close()
    os.close(ours)
    os.close(theirs)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
