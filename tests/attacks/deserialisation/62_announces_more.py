"""62. Announces a tensor of a million million elements and sends four bytes.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "expanded_views"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = json.dumps({"0": {"dtype": "F32", "shape": [10**6, 10**6], "data_offsets": [0, 4]}}).encode()
    blob = struct.pack("<Q", len(head)) + head + bytes(4)
    send(frame(ok(0, [["loss", "tensor", ["float32", [10**6, 10**6]]]]), blob))
    time.sleep(60)
