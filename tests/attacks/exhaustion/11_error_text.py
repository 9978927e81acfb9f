"""11. Raises an error with a message of twenty megabytes, made to choke a regular expression.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "long_source"
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    raise ValueError("\x1b]" * 10_000_000)
