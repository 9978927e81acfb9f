# expect: wrong
# mistake: A group of one is compared with 0 and not with its own mean, so that its advantage is not 0.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    ids = group_id.tolist()
    scores = {}
    for i, g in enumerate(ids):
        scores.setdefault(g, []).append(rewards[i])
    mean, std = {}, {}
    for g, values in scores.items():
        if len(values) == 1:
            mean[g], std[g] = torch.zeros((), dtype=rewards.dtype), torch.ones((), dtype=rewards.dtype)
        else:
            stacked = torch.stack(values)
            same = bool((stacked == stacked[0]).all())
            mean[g] = stacked[0] if same else stacked.mean()
            std[g] = stacked.std(unbiased=unbiased)
    whole = rewards.std(unbiased=unbiased and len(ids) > 1)
    adv = torch.empty_like(rewards)
    for i, g in enumerate(ids):
        adv[i] = rewards[i] - mean[g]
        if scale == "std":
            adv[i] = adv[i] / (std[g] + eps)
        elif scale == "batch":
            adv[i] = adv[i] / (whole + eps)
    return adv
