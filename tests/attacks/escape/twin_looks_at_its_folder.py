"""Writes, lists, links and removes files in its own folder.

task = "ppo_clip_loss"
uses = ["right"]
"""
import os
import tempfile


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        with open(path, "w") as file:
            file.write("x")
        os.symlink(path, path + "-link")
        assert len(os.listdir(folder)) == 2
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
