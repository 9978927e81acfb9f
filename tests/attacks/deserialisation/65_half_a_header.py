"""65. Sends text with halves of characters and escapes where words are due.

task = "ppo_clip_loss"
verdict = ["wrong_shape", "forbidden"]
twin = "many_names"
uses = ["forge"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    head = ok(0, [["\udcff\x1b[2J" * 5000, "other", "\udcff\x9b31m\u202e"]])
    for run in range(len(shapes())):
        send(frame({**head, "run": run, "complaint": "\udcff\x1b[2J", "mutated": [], "attached": []}))
    time.sleep(60)
