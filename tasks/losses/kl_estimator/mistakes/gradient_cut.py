import torch


@torch.no_grad()
def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp
    if kind == "k1":
        return d
    if kind == "k2":
        return 0.5 * d.square()
    return torch.expm1(-d) + d
