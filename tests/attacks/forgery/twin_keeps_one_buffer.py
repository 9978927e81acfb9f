"""Writes every answer into one buffer that it keeps between calls, and returns views of it.

task = "gae"
uses = ["right"]
"""
import torch

buffer = torch.full((2, 4096), float("nan"))


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv, targets = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)
    views = buffer[:, : adv.numel()].view(2, *adv.shape)
    views[0], views[1] = adv, targets
    return views[0], views[1]
