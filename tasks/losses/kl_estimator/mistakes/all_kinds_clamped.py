import torch


def kl_estimator(logp, ref_logp, kind):
    gap = logp - ref_logp.detach()
    if kind == "k1":
        kl = gap
    elif kind == "k2":
        kl = 0.5 * gap**2
    else:
        kl = torch.exp(-gap) - 1 + gap
    return kl.clamp(-10.0, 10.0)
