import torch


def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d.abs()
    if kind == "k2":
        return d.square() / 2
    return torch.exp(-d) - 1 + d
