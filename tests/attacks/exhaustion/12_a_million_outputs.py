"""12. Returns a million outputs under a million names.

task = "ppo_clip_loss"
verdict = ["wrong_shape", "forbidden", "out_of_memory"]
twin = "returns_a_list"
"""
names = {f"\x1b[2J{number}": 0.0 for number in range(1_000_000)}


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return names
