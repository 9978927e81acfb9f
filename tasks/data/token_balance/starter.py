def token_balance(lengths, ranks, cap):
    """Return a list with one entry per rank: a list of microbatches, each of which is a list of sample indices."""
    raise NotImplementedError
