"""32. Returns a tensor that answers every function of torch by itself.

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "subclass_inside"
"""
import torch


class Sly(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return tuple(torch.zeros(()).as_subclass(Sly) for _ in range(3))
