"""64. Sends tensors whose own header claims to be larger than all that comes.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "many_names"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    send(frame(ok(0, [["loss", "tensor", ["float32", []]]]), struct.pack("<Q", 2**62) + b"{" * 100))
    time.sleep(60)
