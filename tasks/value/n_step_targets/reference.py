"""Collects one more step per pass: k-step targets become (k + 1)-step targets, and an end cuts them."""

import torch


@torch.no_grad()
def n_step_targets(r, v, done, gamma, n):
    """Return the n-step targets, without gradient.

    Shapes: r, done and the result [T]; v [T + 1].
    Source: Sutton and Barto, Reinforcement Learning, 2nd edition, section 7.1.
    """
    targets = v
    for _ in range(min(n, len(r))):
        # The target of the state after the last step remains its value. torch.where, because 0 * NaN is NaN.
        targets = torch.cat([r + torch.where(done, 0.0, gamma * targets[1:]), v[-1:]])
    return targets[:-1]
