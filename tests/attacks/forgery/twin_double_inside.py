"""Computes in float64 and returns the dtype that it got.

task = "gae"
uses = ["right"]
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    high = [tensor.double() for tensor in (rewards, values, next_value, final_values)]
    adv, targets = right(high[0], high[1], high[2], terminated, truncated, high[3], gamma, lam)
    return adv.to(rewards.dtype), targets.to(rewards.dtype)
