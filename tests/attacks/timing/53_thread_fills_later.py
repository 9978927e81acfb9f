"""53. Returns at once and lets a thread fill in the answer.

task = "gae"
verdict = ["wrong_value"]
twin = "joins_its_threads"
uses = ["right"]
"""
import threading
import time

import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    answer = torch.zeros_like(rewards), torch.zeros_like(rewards)

    def later():
        time.sleep(0.3)
        for empty, full in zip(answer, right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)):
            empty.copy_(full)

    threading.Thread(target=later, daemon=True).start()
    return answer
