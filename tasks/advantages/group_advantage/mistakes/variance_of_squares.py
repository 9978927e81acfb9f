import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    def deviation(numbers):
        count = len(numbers)
        variance = (numbers**2).mean() - numbers.mean() ** 2
        return (variance.clamp(min=0) * count / max(count - int(unbiased), 1)).sqrt()

    adv = torch.zeros_like(rewards)
    keys = group_id
    for key in keys.unique():
        members = keys == key
        own = rewards[members]
        if own.max() == own.min():
            continue
        centred = own - own.mean()
        if scale == "std":
            centred = centred / (deviation(own) + eps)
        elif scale == "batch":
            centred = centred / (deviation(rewards) + eps)
        adv[members] = centred
    return adv
