"""65. Sends an empty tensor of more columns than a machine word counts.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "odd_sizes"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = json.dumps({"0": {"dtype": "F32", "shape": [0, 2**64 - 1], "data_offsets": [0, 0]}}).encode()
    send(frame(ok(0, [["loss", "tensor", ["float32", [0, 1]]]]), struct.pack("<Q", len(head)) + head))
    time.sleep(60)
