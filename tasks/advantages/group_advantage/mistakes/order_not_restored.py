import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    order = torch.argsort(group_id, stable=True)
    sizes = torch.unique(group_id, return_counts=True)[1].tolist()
    out = []
    for r in rewards[order].split(sizes):
        if r.max() == r.min():
            out.append(torch.zeros_like(r))
            continue
        a = r - r.mean()
        if scale == "std":
            a = a / (r.std(correction=int(unbiased)) + eps)
        elif scale == "batch":
            a = a / (rewards.std(correction=int(unbiased)) + eps)
        out.append(a)
    return torch.cat(out)
