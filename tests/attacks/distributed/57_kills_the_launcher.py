"""57. Kills the process that started the ranks.

task = "ring"
verdict = ["raised", "out_of_memory"]
twin = "guarded_by_rank"
"""
import os
import signal
import time


def total(x):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
