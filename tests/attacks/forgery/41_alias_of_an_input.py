"""41. Returns its inputs themselves and has a thread write the right numbers into them later.

task = "gae"
verdict = ["wrong_value", "mutated_input"]
twin = "keeps_one_buffer"
uses = ["right"]
"""
import threading
import time


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv, targets = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)

    def later():
        time.sleep(0.5)
        values.copy_(targets)
        rewards.copy_(adv)

    threading.Thread(target=later, daemon=True).start()
    return rewards, values
