"""12. Returns a list that holds itself.

task = "ppo_clip_loss"
verdict = ["wrong_shape", "wrong_dtype", "raised", "out_of_memory", "timed_out", "forbidden"]
twin = "returns_a_list"
wall_seconds = 4
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    nest = []
    nest += [nest] * 20
    return nest, nest, nest
