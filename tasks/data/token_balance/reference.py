"""One greedy rule at two levels; the number of microbatches is shared by all ranks, so it is searched for jointly."""


def token_balance(lengths, ranks, cap):
    """Return the microbatches of each rank, as lists of sample indices.

    Units: lengths and cap in tokens.
    Raises: ValueError if a sample is longer than cap.
    """
    if max(lengths) > cap:
        raise ValueError(f"lengths: expected at most {cap} tokens per sample, got {max(lengths)}")
    # Python's sort is stable, so samples of equal length keep their order.
    order = sorted(range(len(lengths)), key=lambda sample: -lengths[sample])
    shares = _spread(order, lengths, ranks)
    # With one microbatch per sample of the rank that has the most, everything fits, so one of these counts is enough.
    for count in range(1, len(lengths) + 1):
        plan = [_spread(share, lengths, count) for share in shares]
        if all(sum(lengths[i] for i in micro) <= cap for held in plan for micro in held):
            break
    return plan


def _spread(order, lengths, count):
    """Return `count` groups of the samples, which are given from the longest to the shortest."""
    groups = [[] for _ in range(count)]
    tokens = [0] * count
    for sample in order:
        smallest = tokens.index(min(tokens))
        groups[smallest].append(sample)
        tokens[smallest] += lengths[sample]
    return groups
