import itertools

import torch


def value_iteration(P, R, gamma, tol):
    states, actions = R.shape
    flat = P.reshape(states * actions, states)
    old = R.new_zeros(states)
    for sweeps in itertools.count(1):
        new, _ = torch.addmv(R.reshape(-1), flat, old, alpha=gamma).view(states, actions).max(dim=1)
        is_close = torch.dist(new, old, p=float("inf")) * gamma <= tol * (1 - gamma)
        old = new
        if is_close:
            break
    q = torch.addmv(R.reshape(-1), flat, old, alpha=gamma).view(states, actions)
    # The first of equal maxima.
    return old, (q == q.max(dim=1, keepdim=True).values).to(torch.int8).argmax(dim=1), sweeps
