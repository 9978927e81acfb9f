import torch


def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d.mean()
    if kind == "k2":
        return (0.5 * d.square()).mean()
    return (torch.expm1(-d) + d).mean()
