"""Prints in colours, in other scripts and with a progress bar.

task = "ppo_clip_loss"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for share in range(5):
        print(f"\r\x1b[32m{'█' * share}\x1b[0m שלום", end="")
    print()
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
