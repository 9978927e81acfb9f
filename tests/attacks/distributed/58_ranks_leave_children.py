"""58. Leaves a child on every rank that holds all pipes open.

task = "ring"
verdict = ["wrong_value", "deadlocked", "raised"]
twin = "own_group"
"""
import os
import time


def total(x):
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return x * 0
