def kl_estimator(logp, ref_logp, kind):
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d
    if kind == "k2":
        return d * d
    return (-d).exp() - 1 + d
