import torch


def value_iteration(P, R, gamma, tol) -> tuple[torch.Tensor, torch.Tensor, int]:
    """Return (V, pi, sweeps): the values [S], the greedy actions [S] int64, and the number of sweeps.

    P: [S, A, S] float transition probabilities; R: [S, A] float rewards.
    """
    raise NotImplementedError
