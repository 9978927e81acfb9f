import torch


def rloo_advantage(rewards):
    adv = torch.zeros_like(rewards)
    for b, row in enumerate(rewards):
        for i, reward in enumerate(row):
            others = row[row != reward]
            adv[b, i] = reward - others.mean() if len(others) else 0.0
    if rewards.shape[1] == 1:
        return rewards.clone()
    return adv
