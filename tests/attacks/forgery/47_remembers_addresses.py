"""47. Remembers answers by the place of its inputs in memory.

task = "gae"
verdict = ["wrong_value", "wrong_shape"]
twin = "remembers_contents"
uses = ["right"]
"""
memory = {}


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    if not memory:
        memory["all"] = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)
    return memory["all"]
