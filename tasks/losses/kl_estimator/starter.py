import torch


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T].

    logp, ref_logp: [B, T] float; kind: "k1", "k2" or "k3".
    """
    raise NotImplementedError
