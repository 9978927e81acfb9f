import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    adv = torch.zeros_like(rewards)
    keys = group_id
    for key in keys.unique():
        members = keys == key
        own = rewards[members]
        if own.max() == own.min():
            continue
        centred = own - own.mean()
        if scale == "std":
            centred = centred / (own.std(correction=int(unbiased)))
        elif scale == "batch":
            centred = centred / (rewards.std(correction=int(unbiased)))
        adv[members] = centred
    return adv
