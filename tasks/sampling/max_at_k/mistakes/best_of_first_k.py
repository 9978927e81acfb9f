import torch


def max_at_k(rewards, k):
    return rewards[:, :k].amax(1)
