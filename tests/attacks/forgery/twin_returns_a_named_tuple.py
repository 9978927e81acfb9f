"""Returns its outputs as a named tuple.

task = "ppo_clip_loss"
uses = ["right"]
"""
from typing import NamedTuple


class Found(NamedTuple):
    loss: object
    clipfrac: object
    approx_kl: object


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return Found(*right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
