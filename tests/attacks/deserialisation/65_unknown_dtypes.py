"""65. Sends tensors of types that the judge never asked for.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "odd_sizes"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = json.dumps({"0": {"dtype": "F4", "shape": [2], "data_offsets": [0, 1]}}).encode()
    blob = struct.pack("<Q", len(head)) + head + bytes(1)
    send(frame(ok(0, [["loss", "tensor", ["float32", [2]]]]), blob))
    time.sleep(60)
