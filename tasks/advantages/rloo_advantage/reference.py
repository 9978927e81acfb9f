"""The baseline of an answer never contains its own reward."""


def rloo_advantage(rewards):
    """Return each reward minus the mean of the other rewards in its row, in the unit of the rewards.

    Shapes: rewards and the result [B, G].
    Source: arXiv:2402.14740 (RLOO).
    """
    # With a single answer per row, the sum of the others is 0, and so is the baseline.
    others = max(rewards.shape[1] - 1, 1)
    return rewards - (rewards.sum(dim=1, keepdim=True) - rewards) / others
