import torch


def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d
    if kind == "k2":
        return 0.5 * d.square()
    kl = torch.exp(-d) - d.neg() - 1
    return torch.clamp(kl, min=-10, max=10)
