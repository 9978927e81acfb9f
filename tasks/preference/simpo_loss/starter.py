import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    """Return the SimPO loss, a 0-dim tensor to minimize.

    avg_logp_w, avg_logp_l: [B] float, average log-probabilities per token.
    """
    raise NotImplementedError
