"""The next state's values have no gradient, and they are not used if the episode has ended."""

import torch
from torch.nn import functional


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    """Return the weighted mean Huber loss, a 0-dim tensor, and the errors [B], in the unit of the rewards.

    Shapes: q, q_next_online, q_next_target [B, A]; a, r, done, weights [B].
    Source: arXiv:1509.06461, section Double DQN.
    """
    with torch.no_grad():
        # One network selects the action and the other evaluates it; a single network would select overestimated
        # actions.
        picked = q_next_online.argmax(dim=1, keepdim=True)
        later = q_next_target.gather(1, picked).squeeze(1)  # [B]
        # torch.where instead of `* (1 - done)`, because 0 * NaN is NaN.
        target = r + gamma**n * torch.where(done, 0.0, later)
    value = q.gather(1, a[:, None]).squeeze(1)
    losses = functional.huber_loss(value, target, reduction="none")
    if weights is not None:
        losses = losses * weights.detach()
    return losses.mean(), target - value.detach()
