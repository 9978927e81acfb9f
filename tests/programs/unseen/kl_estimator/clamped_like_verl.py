# expect: wrong
# mistake: k3 is clamped to [-10, 10], as trainers do against outliers.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    ref_logp = ref_logp.detach()
    if kind == "k1":
        return logp - ref_logp
    if kind == "k2":
        return 0.5 * (logp - ref_logp).square()
    if kind == "k3":
        kl = ref_logp - logp
        ratio = torch.exp(kl)
        kld = ratio - kl - 1
        return torch.clamp(kld, min=-10, max=10)
    raise NotImplementedError(kind)
