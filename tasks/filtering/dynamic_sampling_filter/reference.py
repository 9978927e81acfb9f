"""Rewards are compared with each other, not with a mean: rounding could make equal rewards look different."""


def dynamic_sampling_filter(rewards, target_prompts):
    """Return the rows to train on, and whether there are fewer than the batch needs.

    Shapes: rewards [B, G]; the rows [K], K at most target_prompts.
    Source: arXiv:2503.14476, section 3.2.
    """
    is_varied = (rewards != rewards[:, :1]).any(dim=1)
    varied = is_varied.nonzero()[:, 0]
    return varied[:target_prompts], len(varied) < target_prompts
