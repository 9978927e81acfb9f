"""4. Fills the shared memory, then asks torch for tensors there.

task = "ppo_clip_loss"
verdict = ["raised", "timed_out", "out_of_memory"]
twin = "some_memory"
needs = ["totals"]
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    written = 0
    with open("/dev/shm/attacked", "wb", buffering=0) as file:
        while written < 512 * 2**20:
            written += file.write(b"x" * 2**20)
    print("REACHED", written, "bytes of shared memory", os.getpid())
