"""Uses files, a child and shared memory as the attacks do, and removes them.

task = "ppo_clip_loss"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import os
import tempfile
from multiprocessing import shared_memory

with tempfile.TemporaryFile() as file:
    file.write(bytes(2**20))
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/attacked-note", "w") as note:
    note.write("mine")
shared = shared_memory.SharedMemory(create=True, size=2**16)
shared.close()
shared.unlink()
if os.fork() == 0:
    os._exit(0)
os.wait()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
