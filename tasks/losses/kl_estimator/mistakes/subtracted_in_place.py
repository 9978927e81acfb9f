import torch


def kl_estimator(logp, ref_logp, kind):
    kl = logp
    kl -= ref_logp.detach()
    if kind == "k1":
        return kl
    if kind == "k2":
        return 0.5 * kl.square()
    return torch.expm1(-kl) + kl
