"""Only what the policy sampled is trained on: its own turns up to their first end, the end included."""

import torch

ASSISTANT = 3


def build_loss_mask(role, eos_id, tokens):
    """Return for each but the first token whether the policy generated it, aligned with the scores before it.

    Shapes: role, tokens [T]; result [T - 1].
    Source: arXiv:2307.09288, section 3.1; arXiv:2503.09516.
    """
    ends = torch.as_tensor(eos_id, device=tokens.device).reshape(-1)
    is_own = role == ASSISTANT
    is_end = is_own & torch.isin(tokens, ends)
    ended_before = is_end.cumsum(0) - is_end.long()  # ends in front of each token, over all turns
    is_start = is_own.clone()
    is_start[1:] &= ~is_own[:-1]
    # What was counted when the turn began belongs to earlier turns; the count never falls, so cummax carries it on.
    earlier = (ended_before * is_start).cummax(0).values
    return (is_own & (ended_before == earlier))[1:]
