"""43. Returns empty tensors, of which every element is right.

task = "gae"
verdict = ["wrong_shape"]
twin = "keeps_one_buffer"
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return rewards[:0], rewards[:0]
