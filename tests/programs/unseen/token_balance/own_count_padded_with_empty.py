# expect: wrong
# mistake: Each rank distributes its samples across the smallest number of microbatches that it needs itself and appends empty ones up to the common number, instead of distributing across the common number.
def _greedy(items, lengths, n_groups):
    groups = [[] for _ in range(n_groups)]
    tokens = [0] * n_groups
    for idx in items:
        target = min(range(n_groups), key=lambda g: (tokens[g], g))
        groups[target].append(idx)
        tokens[target] += lengths[idx]
    return groups, max(tokens)


def token_balance(lengths, ranks, cap):
    if max(lengths) > cap:
        raise ValueError("sample longer than cap")
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    by_rank, _ = _greedy(order, lengths, ranks)

    plan = []
    for items in by_rank:
        n = 1
        groups, biggest = _greedy(items, lengths, n)
        while biggest > cap:
            n += 1
            groups, biggest = _greedy(items, lengths, n)
        plan.append(groups)

    n_micro = max(len(groups) for groups in plan)
    return [groups + [[] for _ in range(n_micro - len(groups))] for groups in plan]
