"""31. Returns floats of a type of its own that is equal to everything.

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "defines_eq"
"""

class Sly(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __hash__ = None


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return Sly(), Sly(), Sly()
