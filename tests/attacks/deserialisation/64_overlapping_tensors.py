"""64. Sends tensors that lie over each other.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "many_names"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    place = {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}
    head = json.dumps({"0": place, "1": place, "2": place}).encode()
    leaves = [[name, "tensor", ["float32", []]] for name in ("loss", "clipfrac", "approx_kl")]
    send(frame(ok(0, leaves), struct.pack("<Q", len(head)) + head + bytes(4)))
    time.sleep(60)
