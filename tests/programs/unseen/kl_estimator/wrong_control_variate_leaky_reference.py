# expect: wrong
# mistake: k3 adds policy / reference - 1 as its control variate instead of reference / policy - 1.
# mistake: ref_logp is not detached and receives a gradient.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    k1 = logp - ref_logp
    if kind == "k1":
        return k1
    if kind == "k2":
        return 0.5 * k1**2
    quotient = torch.exp(logp - ref_logp)
    return k1 + (quotient - 1)
