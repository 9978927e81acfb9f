"""48. Is right in every call but the last.

task = "gae"
verdict = ["wrong_value"]
twin = "counts_its_calls"
uses = ["right", "forge"]
"""
total = len(work()["runs"])
count = 0


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    global count
    count += 1
    adv, targets = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)
    return adv + 1e-2 * (count == total), targets
