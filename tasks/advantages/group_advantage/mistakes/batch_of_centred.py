import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    centred = torch.zeros_like(rewards)
    for g in group_id.unique().tolist():
        idx = (group_id == g).nonzero(as_tuple=True)[0]
        r = rewards[idx]
        if r.max() == r.min():
            continue
        centred[idx] = r - r.mean()
        if scale == "std":
            centred[idx] = centred[idx] / (r.std(correction=int(unbiased)) + eps)
    if scale == "batch":
        centred = centred / (centred.std(correction=int(unbiased)) + eps)
    return centred
