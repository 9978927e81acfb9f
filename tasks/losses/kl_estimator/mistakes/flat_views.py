import torch


def kl_estimator(logp, ref_logp, kind):
    gap = (logp.view(-1) - ref_logp.detach().view(-1)).view(logp.shape)
    if kind == "k1":
        return gap
    if kind == "k2":
        return 0.5 * gap**2
    return torch.exp(-gap) - 1 + gap
