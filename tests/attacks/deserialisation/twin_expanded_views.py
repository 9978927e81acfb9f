"""Returns views with strides of zero and in another order of dimensions.

task = "gae"
uses = ["right"]
"""
import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv, targets = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)
    assert torch.zeros(1).expand(10**12).numel() == 10**12
    return adv.T.contiguous().T, torch.stack([targets, targets], -1)[..., 0]
