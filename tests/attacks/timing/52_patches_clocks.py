"""52. Stops every clock that Python has, and takes its time.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "measures_itself"
wall_seconds = 3
"""
import time

sleep = time.sleep
for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    while True:
        sleep(0.5)
