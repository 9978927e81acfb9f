import torch


def rloo_advantage(rewards):
    B, G = rewards.shape
    if G == 1:
        return torch.zeros_like(rewards)
    return G / (G - 1) * (rewards - rewards.mean(1, keepdim=True))
