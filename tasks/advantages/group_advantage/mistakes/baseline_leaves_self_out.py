import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    out = torch.zeros_like(rewards)
    for g in group_id.unique().tolist():
        idx = (group_id == g).nonzero(as_tuple=True)[0]
        r = rewards[idx]
        if len(r) == 1 or r.max() == r.min():
            continue
        a = r - (r.sum() - r) / (len(r) - 1)
        if scale == "std":
            a = a / (r.std(correction=int(unbiased)) + eps)
        elif scale == "batch":
            a = a / (rewards.std(correction=int(unbiased)) + eps)
        out[idx] = a
    return out
