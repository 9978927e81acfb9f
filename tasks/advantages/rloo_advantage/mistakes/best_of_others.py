import torch


def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    adv = torch.empty_like(rewards)
    for i in range(G):
        keep = [j for j in range(G) if j != i]
        adv[:, i] = rewards[:, i] - rewards[:, keep].max(dim=1).values
    return adv
