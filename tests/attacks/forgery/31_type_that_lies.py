"""31. Returns an object whose type computes its own name, and gives one that no text can hold.

task = "ppo_clip_loss"
verdict = ["wrong_dtype", "raised"]
twin = "defines_eq"
"""

class Liar(type):
    @property
    def __name__(cls):
        return "\udcff\x1b[2J" * 10_000


class Sly(metaclass=Liar):
    pass


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return Sly(), Sly(), Sly()
