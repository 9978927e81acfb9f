"""The factors undo the trainer's own averages and leave each token the weight of one in all tokens."""


def microbatch_loss_scale(token_counts, dp_size, n_accum):
    """Return the factor of each micro-batch's mean loss, without a unit.

    Shapes: token_counts and the result [dp_size, n_accum].
    Source: arXiv:2503.14476, section 3.3.
    """
    # All ranks and all micro-batches: a sum over less weighs tokens by the company that they keep.
    tokens = token_counts.sum().clamp(min=1)
    # The count turns the micro-batch's mean into a sum; the two sizes undo the averages that follow.
    return (token_counts.double() * dp_size * n_accum / tokens).float()
