"""One backward pass: each return mixes the critic's value and the return of the next step."""

import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    """Return the lambda-returns, without gradient.

    Shapes: r, v_next, done and the result [T].
    Source: Sutton and Barto, Reinforcement Learning, 2nd edition, section 12.1.
    """
    returns = torch.empty_like(r)
    following = v_next[-1]
    for t in range(len(r) - 1, -1, -1):
        # torch.where instead of `* ~done[t]`, because 0 * NaN is NaN.
        future = torch.where(done[t], 0.0, (1 - lam) * v_next[t] + lam * following)
        following = r[t] + gamma * future
        returns[t] = following
    return returns
