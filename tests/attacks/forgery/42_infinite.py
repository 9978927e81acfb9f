"""42. Returns infinities of both signs.

task = "gae"
verdict = ["non_finite"]
twin = "works_on_copies"
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return rewards * 0 + float("inf"), rewards * 0 - float("inf")
