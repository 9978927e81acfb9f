"""59. Says in the runner's words that the machine failed, so that nobody is to blame.

task = "ring"
verdict = ["forbidden", "raised", "deadlocked", "wrong_value"]
twin = "guarded_by_rank"
uses = ["forge"]
"""
import time


def total(x):
    told = frame({"run": 0, "status": "lost", "message": "the ranks of the gloo group could not connect"})
    for descriptor in descriptors():
        try:
            os.write(descriptor, told)
        except OSError:
            continue
    time.sleep(0.2)
    os._exit(0)
