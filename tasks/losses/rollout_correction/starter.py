import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    """Return importance weights [B, T], 0 at masked positions and without a gradient.

    train_logp, rollout_logp: [B, T] float; mask: [B, T] bool; mode: "token", "seq" or "geo"; kind: "tis" or "mis".
    """
    raise NotImplementedError
