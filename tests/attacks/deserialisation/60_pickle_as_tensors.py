"""60. Sends a right header with a pickle in place of the tensors.

task = "ppo_clip_loss"
verdict = ["forbidden"]
twin = "pickles_inside"
uses = ["forge"]
"""
import pickle
import time


class Command:
    def __reduce__(self):
        return os.system, ("touch /tmp/attacked-by-pickle",)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    leaves = [[name, "tensor", ["float32", []]] for name in ("loss", "clipfrac", "approx_kl")]
    send(frame(ok(0, leaves), pickle.dumps([Command()] * 3)))
    time.sleep(60)
