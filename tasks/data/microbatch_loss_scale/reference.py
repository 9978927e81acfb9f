"""The factors undo the trainer's own averages, so that each token's weight is 1 over the number of all tokens."""


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    """Return the dimensionless factor of each micro-batch's mean loss.

    Shapes: token_counts and the result [dp_size, n_accum].
    Source: arXiv:2503.14476, section 3.3.
    """
    # All ranks and all micro-batches: with a smaller sum, a token's weight would depend on its micro-batch or rank.
    tokens = token_counts.sum().clamp(min=1)
    # The count turns the micro-batch's mean into a sum; dp_size and n_accum undo the averages that follow.
    return (token_counts.double() * dp_size * n_accum / tokens).float()
