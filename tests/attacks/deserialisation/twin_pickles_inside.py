"""Saves and loads its tensors with pickle and torch on the way.

task = "ppo_clip_loss"
uses = ["right"]
"""
import io
import pickle

import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    file = io.BytesIO()
    torch.save(pickle.loads(pickle.dumps(adv)), file)
    file.seek(0)
    return right(logp, old_logp, torch.load(file), mask, eps_low, eps_high, dual_c, reduction)
