import torch


def estimate(ours, theirs, kind):
    gap = ours - theirs.detach()
    if kind == "k1":
        return gap
    if kind == "k2":
        return gap**2 / 2
    return gap + (torch.exp(-gap) - 1)


def kl_estimator(logp, ref_logp, kind):
    rows = []
    for ours, theirs in zip(logp, ref_logp, strict=True):
        rows.append(torch.stack([estimate(a, b, kind) for a, b in zip(ours, theirs, strict=True)]))
    return torch.stack(rows)
