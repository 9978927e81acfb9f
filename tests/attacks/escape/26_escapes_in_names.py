"""26. Returns outputs under names, and of a type, that are terminal escapes.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "prints_colours"
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return {"\x1b[2Jloss": type("\x1b]0;x\x07", (), {})(), "\u202eclipfrac": 0.0, "\udcff": 0.0}
