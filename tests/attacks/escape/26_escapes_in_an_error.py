"""26. Raises an error whose message and type name are terminal escapes.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "prints_colours"
"""

Sly = type("\x1b[2J\u202eSly\x07", (Exception,), {})


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    raise Sly("\x1b]52;c;cm0gLXJmIH4=\x07 \udcff \x9b5m \u202e gone")
