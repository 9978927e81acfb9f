import torch


def kl_estimator(logp, ref_logp, kind):
    p = logp.exp()
    q = ref_logp.detach().exp()
    log_ratio = torch.log(p / q)
    if kind == "k1":
        return log_ratio
    if kind == "k2":
        return log_ratio**2 / 2
    return q / p - 1 + log_ratio
