import torch


def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d
    if kind == "k2":
        return d.square() / 2
    ratio = torch.exp(d)
    return (ratio - 1) + d
