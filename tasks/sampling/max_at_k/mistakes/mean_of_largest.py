import torch


def max_at_k(rewards, k):
    return rewards.topk(k, 1).values.mean(1)
