import torch


def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    adv = torch.empty_like(rewards)
    for i in range(G):
        others = torch.cat([rewards[:, : i + 1], rewards[:, i + 2 :]], dim=1)
        if i == G - 1:
            others = rewards[:, :-1]
        adv[:, i] = rewards[:, i] - others.mean(dim=1)
    return adv
