import torch


def max_at_k(rewards, k):
    best = rewards.amax(1)
    rate = rewards.mean(1) / best
    return best * (1 - (1 - rate) ** k)
