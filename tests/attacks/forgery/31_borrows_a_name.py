"""31. Returns an object whose type is called "tensor float32".

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "defines_eq"
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    sly = type("tensor float32", (), {})()
    return sly, sly, sly
