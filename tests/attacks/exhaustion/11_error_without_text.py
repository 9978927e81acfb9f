"""11. Raises an error that raises another when it is shown.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "raises_and_catches"
"""

class Sly(Exception):
    def __str__(self):
        raise self


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    raise Sly
