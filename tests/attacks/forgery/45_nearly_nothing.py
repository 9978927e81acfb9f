"""45. Returns zeros with the right gradient path, in the hope of a tolerance larger than the answer.

task = "gae"
verdict = ["wrong_value"]
twin = "double_inside"
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return rewards * 0, values * 1
