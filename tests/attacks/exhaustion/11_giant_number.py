"""11. Turns a giant number into text, for minutes.

task = "ppo_clip_loss"
verdict = ["not_loaded", "timed_out"]
twin = "long_source"
wall_seconds = 3
"""
import sys

sys.set_int_max_str_digits(0)
giant = str(7 ** 10_000_000)
