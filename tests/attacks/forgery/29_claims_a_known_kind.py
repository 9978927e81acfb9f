"""29. Sends, instead of a loss, an object whose type is called as the right one is.

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "returns_a_named_tuple"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    leaves = [[name, "other", "tensor float32"] for name in ("loss", "clipfrac", "approx_kl")]
    send(*(frame(ok(run, leaves, {"logp": None})) for run in range(len(shapes()))))
    time.sleep(60)
