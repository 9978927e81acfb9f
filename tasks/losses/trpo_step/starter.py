import torch


def trpo_step(
    theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10
) -> tuple[torch.Tensor, int, torch.Tensor]:
    """Return (weights, k, kl): the new weights [D, A], the number of the accepted try or -1, and the KL divergence.

    theta: [D, A] float64; x: [N, D] float64; actions: [N] int64; adv: [N] float64.
    """
    raise NotImplementedError
