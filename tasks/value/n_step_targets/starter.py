import torch


def n_step_targets(r, v, done, gamma, n) -> torch.Tensor:
    """Return the n-step target of every step, [T], without gradient.

    r: [T] float; v: [T + 1] float; done: [T] bool; n: int.
    """
    raise NotImplementedError
