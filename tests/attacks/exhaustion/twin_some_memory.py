"""Uses 300 MiB for a moment, in plain and in shared memory.

task = "ppo_clip_loss"
uses = ["right"]
needs = ["shared"]
"""
import torch

USED = []


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if not USED:  # once: touching 300 MiB for each of thirty runs takes a busy machine past the deadline
        block = bytearray(300 * 2**20)
        shared = torch.zeros(2**18).share_memory_()
        assert len(block) + int(shared.sum()) == 300 * 2**20
        USED.append(True)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
