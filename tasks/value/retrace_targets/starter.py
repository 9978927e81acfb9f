import torch


def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    """Return the Retrace target of every step, [T], without gradient.

    q, probs: [T + 1, A] float; behav_probs, r, discount: [T] float; actions: [T] int64.
    """
    raise NotImplementedError
