import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    adv = torch.zeros_like(rewards)
    for key in group_id.unique():
        members = group_id == key
        own = rewards[members]
        if own.max() > own.min():
            adv[members] = own - own.mean()
            if scale == "std":
                adv[members] /= own.std(correction=int(unbiased)) + eps
    if scale == "batch":
        adv = adv / (rewards.std(correction=int(unbiased)) + eps)
    return adv
