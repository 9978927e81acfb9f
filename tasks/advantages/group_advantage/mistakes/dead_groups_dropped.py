import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    parts, places = [], []
    for g in group_id.unique().tolist():
        idx = (group_id == g).nonzero(as_tuple=True)[0]
        r = rewards[idx]
        if r.max() == r.min():
            continue  # nothing to learn from this prompt
        a = r - r.mean()
        if scale == "std":
            a = a / (r.std(correction=int(unbiased)) + eps)
        elif scale == "batch":
            a = a / (rewards.std(correction=int(unbiased)) + eps)
        parts.append(a)
        places.append(idx)
    if not parts:
        return rewards[:0]
    return torch.cat(parts)[torch.cat(places).argsort()]
