"""53. Returns at once and lets a child of its own fill in the answer in shared memory.

task = "gae"
verdict = ["wrong_value"]
twin = "joins_its_threads"
uses = ["right"]
needs = ["shared"]
"""
import os
import time

import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    answer = tuple(torch.zeros_like(rewards).share_memory_() for _ in range(2))
    if os.fork() == 0:
        time.sleep(0.3)
        for empty, full in zip(answer, right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)):
            empty.copy_(full)
        os._exit(0)
    return answer
