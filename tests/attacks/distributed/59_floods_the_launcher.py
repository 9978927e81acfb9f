"""59. Sends gigabytes to the launcher in place of a record.

task = "ring"
verdict = ["forbidden", "raised", "out_of_memory", "deadlocked", "timed_out"]
twin = "guarded_by_rank"
uses = ["forge"]
wall_seconds = 12
"""

def total(x):
    data = struct.pack("<II", 2**31, 2**31) + b"x" * 2**20
    while True:
        for descriptor in descriptors()[:4]:
            try:
                os.write(descriptor, data)
            except OSError:
                continue
