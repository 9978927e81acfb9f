"""Only the difference of the log-probabilities is exponentiated, because each probability alone could underflow."""

import torch


def kl_estimator(logp, ref_logp, kind):
    """Return an estimate of KL(policy || reference) for each token that the policy sampled, in nats.

    Shapes: logp, ref_logp and the result [B, T].
    Source: J. Schulman, "Approximating KL divergence" (2020); arXiv:2402.03300, eq. 4 (k3).
    """
    log_ratio = logp - ref_logp.detach()
    if kind == "k1":
        return log_ratio
    if kind == "k2":
        return log_ratio.square() / 2
    # expm1 instead of exp - 1, because the two terms nearly cancel where the policies agree.
    return torch.expm1(-log_ratio) + log_ratio
