"""Computes with a tensor subclass that records calls, and returns plain tensors.

task = "ppo_clip_loss"
uses = ["right"]
"""
import torch

names = []


class Recorded(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        names.append(getattr(function, "__name__", ""))
        return super().__torch_function__(function, types, args, kwargs or {})


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    answer = right(logp.as_subclass(Recorded), old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    assert names
    return tuple(value.as_subclass(torch.Tensor) for value in answer)
