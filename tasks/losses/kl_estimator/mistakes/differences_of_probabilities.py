def kl_estimator(logp, ref_logp, kind):
    p, q = logp.exp(), ref_logp.detach().exp()
    d = logp - ref_logp.detach()
    if kind == "k1":
        return d
    if kind == "k2":
        return d**2 / 2
    return (q - p) + d
