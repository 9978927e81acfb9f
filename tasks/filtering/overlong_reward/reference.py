"""The punishment is continuous: 0 where the stretch begins, -1 where it ends, and constant outside of it."""

import torch


def overlong_reward(len, L_max, L_cache):
    """Return the punishment for the length of each answer, between -1 and 0.

    Shapes: len and the result [N].
    Units: len, L_max and L_cache in tokens.
    Source: arXiv:2503.14476, eq. 13.
    """
    start = L_max - L_cache
    share = (len - start) / L_cache
    return -share.clamp(0, 1).to(torch.get_default_dtype())
