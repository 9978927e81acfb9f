"""8. Spins and ignores every signal that can be ignored.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "handles_signals"
wall_seconds = 3
"""
import signal
from contextlib import suppress


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for number in range(1, signal.NSIG):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    while True:
        pass
