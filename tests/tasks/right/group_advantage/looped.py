import statistics

import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    deviation_of = statistics.stdev if unbiased else statistics.pstdev
    numbers = rewards.tolist()
    groups = {}
    for place, group in enumerate(group_id.tolist()):
        groups.setdefault(group, []).append(place)
    adv = [0.0] * len(numbers)
    for places in groups.values():
        own = [numbers[place] for place in places]
        if max(own) == min(own):
            continue
        mean = statistics.fmean(own)
        if scale == "std":
            divisor = deviation_of(own) + eps
        elif scale == "batch":
            divisor = deviation_of(numbers) + eps
        else:
            divisor = 1.0
        for place in places:
            adv[place] = (numbers[place] - mean) / divisor
    return torch.tensor(adv, dtype=rewards.dtype, device=rewards.device)
