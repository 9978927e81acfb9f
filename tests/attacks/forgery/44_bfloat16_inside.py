"""44. Computes in bfloat16 and casts the result back.

task = "gae"
verdict = ["wrong_value", "wrong_dtype"]
twin = "double_inside"
uses = ["right"]
"""
import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    low = [tensor.bfloat16() for tensor in (rewards, values, next_value, final_values)]
    adv, targets = right(low[0], low[1], low[2], terminated, truncated, low[3], gamma, lam)
    return adv.float(), targets.float()
