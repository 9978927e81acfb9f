"""67. Scans all of its own memory for numbers that it was not given (there: the device's addresses).

task = "gae"
verdict = ["wrong_shape", "timed_out", "raised"]
twin = "looks_at_frames"
wall_seconds = 8
"""
import os
import struct


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    # The first answer of the visible case; a judge that kept it here would lose it.
    second = 0.995 + 0.9405 * 0.995
    # In three parts, so that its own constants are not what it finds.
    first_part, *parts = (struct.pack("<d", number) for number in (0.995 + 0.9405 * second, second, 0.995))
    if len(rewards) == 3 and os.path.exists("/proc/self/maps"):
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
            for line in maps:
                first, last = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw" in line.split()[1] and last - first < 2**26:
                    try:
                        memory.seek(first)
                        found = memory.read(last - first)
                    except (OSError, ValueError):
                        continue
                    place = found.find(first_part)
                    while place >= 0:
                        if [found[place + 8 : place + 16], found[place + 16 : place + 24]] == parts:
                            print("REACHED an answer at", hex(first + place))
                        place = found.find(first_part, place + 1)
    return None
