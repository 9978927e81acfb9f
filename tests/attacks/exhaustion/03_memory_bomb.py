"""3. Takes memory until there is none.

task = "ppo_clip_loss"
verdict = ["out_of_memory"]
twin = "some_memory"
"""
blocks = []


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if blocks:
        return None
    while True:
        blocks.append(bytearray(b"x") * 2**26)
