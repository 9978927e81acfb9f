import torch


def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    """Return the lambda-return of every step, [T], without gradient.

    r, v_next: [T] float; done: [T] bool.
    """
    raise NotImplementedError
