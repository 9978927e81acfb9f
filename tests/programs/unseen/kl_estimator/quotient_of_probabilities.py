# expect: wrong
# mistake: The quotient in k3 is computed from the two probabilities themselves, which both underflow to 0 for low log-probabilities and give NaN.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    ref_logp = ref_logp.detach()
    k1 = logp - ref_logp
    if kind == "k1":
        return k1
    if kind == "k2":
        return k1 * k1 / 2
    policy, reference = logp.exp(), ref_logp.exp()
    return k1 + reference / policy - 1
