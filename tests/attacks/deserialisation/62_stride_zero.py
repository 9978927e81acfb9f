"""62. Returns a tensor of a million million elements that takes four bytes.

task = "gae"
verdict = ["wrong_shape"]
twin = "expanded_views"
"""
import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return torch.zeros(1).expand(10**12), torch.zeros(1).expand(10**6, 10**6)
