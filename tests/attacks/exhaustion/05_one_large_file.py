"""5. Writes one file that never ends.

task = "ppo_clip_loss"
verdict = ["raised", "out_of_memory", "wrong_shape"]
twin = "scratch_file"
"""
import tempfile


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    with tempfile.TemporaryFile(buffering=0) as file:
        while file.tell() < 512 * 2**20:
            file.write(b"x" * 2**22)
    print("REACHED 512 MiB on disk")
