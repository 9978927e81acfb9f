"""Handles empty tensors and long numbers on the way.

task = "gae"
uses = ["right"]
"""
import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    assert torch.zeros(0, 5).sum() == 0
    assert len(str(7**400)) > 300
    empty = rewards[:0]
    return right(torch.cat([empty, rewards]), values, next_value, terminated, truncated, final_values, gamma, lam)
