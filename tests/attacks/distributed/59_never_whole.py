"""59. Sends half a record on one rank and keeps its pipe open.

task = "ring"
verdict = ["deadlocked", "forbidden", "timed_out", "raised"]
twin = "guarded_by_rank"
uses = ["forge"]
wall_seconds = 12
"""
import time


def total(x):
    for descriptor in descriptors():
        try:
            os.write(descriptor, struct.pack("<II", 60_000, 60_000) + b"x")
        except OSError:
            continue
    time.sleep(60)
