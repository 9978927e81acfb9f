"""65. Sends numbers that JSON does not have: NaN, infinities and one of four thousand digits.

task = "ppo_clip_loss"
verdict = ["wrong_dtype", "forbidden"]
twin = "odd_sizes"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = json.dumps(ok(0, [["loss", "float", 0], ["clipfrac", "float", 0], ["approx_kl", "int", 7]]))
    send(frame(head.replace("0]", "NaN]").replace("7]", "9" * 4000 + "]").encode()))
    time.sleep(60)
