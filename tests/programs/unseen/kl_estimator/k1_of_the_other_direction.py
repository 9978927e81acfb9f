# expect: wrong
# mistake: k1 is ref_logp - logp, which has the wrong sign; k2 and k3 are right.
import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    # Schulman's note writes everything with r = p / q, where q is the sampler
    log_r = ref_logp.detach() - logp
    estimators = {
        "k1": lambda: log_r,
        "k2": lambda: log_r.pow(2) / 2,
        "k3": lambda: torch.expm1(log_r) - log_r,
    }
    return estimators[kind]()
