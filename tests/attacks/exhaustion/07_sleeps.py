"""7. Sleeps, after it has taken away every alarm.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "sleeps_a_little"
wall_seconds = 3
"""
import signal
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    signal.alarm(0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    time.sleep(60)
