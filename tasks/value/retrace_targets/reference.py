"""The own value cancels: each target is the reward plus the discounted next value and traced next correction."""

import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    """Return the Retrace targets, without gradient.

    Shapes: q, probs [T + 1, A]; behav_probs, actions, r, discount and the result [T].
    Source: arXiv:1606.02647, eq. 3, with c = lam * min(1, ratio).
    """
    taken = actions[:, None]
    values = q[:-1].gather(1, taken)[:, 0]
    traces = lam * (probs[:-1].gather(1, taken)[:, 0] / behav_probs).clamp(max=1)
    # torch.where, because 0 * -inf and 0 * NaN are NaN.
    expected = torch.where(probs > 0, probs * q, 0.0).sum(dim=1)

    targets = torch.empty_like(r)
    carried = torch.zeros_like(r[0])
    for t in range(len(r) - 1, -1, -1):
        targets[t] = r[t] + discount[t] * (expected[t + 1] + carried)
        carried = traces[t] * (targets[t] - values[t])
    return targets
