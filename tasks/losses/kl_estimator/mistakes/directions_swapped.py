import torch


def kl_estimator(logp, ref_logp, kind):
    d = ref_logp.detach() - logp
    if kind == "k1":
        return d
    if kind == "k2":
        return d.pow(2).div(2)
    return torch.expm1(-d) + d
