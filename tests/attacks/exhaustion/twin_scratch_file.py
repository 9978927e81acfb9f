"""Keeps its intermediate result in a file of 20 MiB in the temp folder.

task = "ppo_clip_loss"
uses = ["right"]
"""
import tempfile

import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    with tempfile.TemporaryFile() as file:
        file.write(bytes(20 * 2**20))
        torch.save(adv, file)
        file.seek(20 * 2**20)
        kept = torch.load(file)
    return right(logp, old_logp, kept, mask, eps_low, eps_high, dual_c, reduction)
