# expect: right
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    log_ratio = logp - ref_logp.detach().to(logp.dtype)
    if kind == "k1":
        return log_ratio
    if kind == "k2":
        return log_ratio.square() / 2
    if kind == "k3":
        return log_ratio + torch.expm1(-log_ratio)
    raise ValueError(f"unknown estimator: {kind!r}")
