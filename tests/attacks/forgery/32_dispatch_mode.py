"""32. Leaves a mode on that answers every operation of torch with zeros.

task = "ppo_clip_loss"
verdict = ["wrong_value", "wrong_gradient", "raised", "wrong_shape", "forbidden"]
twin = "subclass_inside"
"""
import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Zeros(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        return found.zero_() if isinstance(found, torch.Tensor) and found.is_floating_point() else found


Zeros().__enter__()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    zero = (logp * 0.0).sum()
    return zero, zero.detach(), zero.detach()
