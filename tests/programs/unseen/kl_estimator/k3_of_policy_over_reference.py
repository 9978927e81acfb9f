# expect: wrong
# mistake: k3 is (r - 1) - log r with r = policy / reference, the estimator for tokens drawn from the reference, instead of r = reference / policy.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    log_r = logp - ref_logp.detach()
    if kind == "k1":
        return log_r
    if kind == "k2":
        return 0.5 * log_r**2
    if kind == "k3":
        r = log_r.exp()
        return (r - 1) - log_r
    raise ValueError(kind)
