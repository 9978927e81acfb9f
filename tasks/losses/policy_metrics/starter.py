import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2) -> dict[str, torch.Tensor]:
    """Return the metrics of one update as 0-dim tensors.

    logp, old_logp, values, returns: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
