"""6. Announces a large frame and then feeds it one byte at a time.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "sleeps_a_little"
uses = ["forge"]
wall_seconds = 3
"""
import struct
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    send(struct.pack("<II", 60_000, 100))
    while True:
        send(b" ")
        time.sleep(0.001)
