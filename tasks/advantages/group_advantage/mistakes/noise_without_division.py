import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    adv = torch.zeros_like(rewards)
    for key in group_id.unique():
        members = group_id == key
        own = rewards[members]
        if len(own) == 1:
            continue
        centred = own - own.mean()
        if scale == "std":
            is_dead = bool((own == own[0]).all())
            centred = torch.zeros_like(own) if is_dead else centred / (own.std(correction=int(unbiased)) + eps)
        elif scale == "batch":
            centred = centred / (rewards.std(correction=int(unbiased)) + eps)
        adv[members] = centred
    return adv
