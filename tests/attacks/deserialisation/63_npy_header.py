"""63. Sends an npy header that claims a tebibyte.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "compresses_inside"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (274877906944,)}".ljust(117) + b"\n"
    send(frame(ok(0, [["loss", "tensor", ["float32", []]]]), b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + head))
    time.sleep(60)
