import torch


def c51_project(next_p, r, done, support, gamma) -> torch.Tensor:
    """Return the target probabilities of the atoms, [B, N], without gradient.

    next_p: [B, N] float; r: [B] float; done: [B] bool; support: [N] float.
    """
    raise NotImplementedError
