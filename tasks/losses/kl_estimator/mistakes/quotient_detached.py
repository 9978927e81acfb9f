import torch


def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d
    if kind == "k2":
        return 0.5 * d.square()
    ratio = torch.exp(-d).detach()
    return ratio - 1 + d
