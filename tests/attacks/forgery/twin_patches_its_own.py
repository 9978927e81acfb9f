"""Wraps functions of torch to count calls, and puts them back.

task = "ppo_clip_loss"
uses = ["right"]
"""
import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    calls, plain = [], torch.where

    def counted(*args, **named):
        calls.append(1)
        return plain(*args, **named)

    torch.where = counted
    try:
        return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    finally:
        torch.where = plain
        print(len(calls))
