"""61. Sends a file of torch.save in place of the tensors.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "pickles_inside"
uses = ["forge"]
"""
import io
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    file = io.BytesIO()
    torch.save({"0": torch.zeros(())}, file)
    send(frame(ok(0, [["loss", "tensor", ["float32", []]]]), file.getvalue()))
    time.sleep(60)
