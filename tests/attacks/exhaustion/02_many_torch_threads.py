"""2. Asks torch for as many threads as it gives and keeps them all busy.

task = "ppo_clip_loss"
verdict = ["timed_out", "raised"]
twin = "a_few_threads"
wall_seconds = 4
"""
import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    torch.set_num_threads(64)
    while True:
        torch.randn(600, 600) @ torch.randn(600, 600)
