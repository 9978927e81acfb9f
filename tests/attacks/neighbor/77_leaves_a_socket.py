"""77. Listens on an abstract socket and on loopback, and calls the submission before it.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import os
import socket
import time
from contextlib import suppress

ADDRESSES = ((socket.AF_UNIX, "\0attacked"), (socket.AF_INET, ("127.0.0.1", 45454)), (socket.AF_UNIX, "/tmp/attacked"))
SEEN = []
for family, address in ADDRESSES:
    with suppress(OSError):
        with socket.socket(family) as caller:
            caller.connect(address)
            SEEN.append(str(address))
for family, address in ADDRESSES:
    with suppress(OSError):
        server = socket.socket(family)
        server.bind(address)
        server.listen()
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
