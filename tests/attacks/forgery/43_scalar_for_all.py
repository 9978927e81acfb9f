"""43. Returns one number where a table is due, so that a careless comparison broadcasts it.

task = "gae"
verdict = ["wrong_shape"]
twin = "keeps_one_buffer"
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return rewards.mean(), rewards.mean()
