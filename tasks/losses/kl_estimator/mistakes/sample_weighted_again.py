import torch.nn.functional as F


def kl_estimator(logp, ref_logp, kind):
    ref = ref_logp.detach()
    if kind == "k1":
        return F.kl_div(ref, logp, reduction="none", log_target=True)
    d = logp - ref
    if kind == "k2":
        return d * d / 2
    return (ref - logp).exp() - 1 + d
