"""Only sampled tokens are trained on: the policy's own turns up to and including their first end token."""

import torch

ASSISTANT = 3


def build_loss_mask(role, eos_id, tokens):
    """Return for each token but the first whether the policy generated it, aligned with the logits that predict it.

    Shapes: role, tokens [T]; result [T - 1].
    Source: arXiv:2307.09288, section 3.1; arXiv:2503.09516.
    """
    ends = torch.as_tensor(eos_id, device=tokens.device).reshape(-1)
    is_own = role == ASSISTANT
    is_end = is_own & torch.isin(tokens, ends)
    ended_before = is_end.cumsum(0) - is_end.long()  # end tokens before each token, over all turns
    is_start = is_own.clone()
    is_start[1:] &= ~is_own[:-1]
    # The count at the start of a turn belongs to earlier turns; counts never decrease, so cummax extends it over the
    # turn.
    earlier = (ended_before * is_start).cummax(0).values
    return (is_own & (ended_before == earlier))[1:]
