"""The penalty is continuous: 0 at the start of the penalty interval, -1 at its end, and constant outside."""

import torch


def overlong_reward(len, L_max, L_cache):
    """Return the penalty for the length of each response, between -1 and 0.

    Shapes: len and the result [N].
    Units: len, L_max and L_cache in tokens.
    Source: arXiv:2503.14476, eq. 13.
    """
    start = L_max - L_cache
    share = (len - start) / L_cache
    return -share.clamp(0, 1).to(torch.get_default_dtype())
