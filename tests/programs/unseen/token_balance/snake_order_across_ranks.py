# expect: wrong
# mistake: The sorted samples are dealt to the ranks in snake order (0, 1, ..., 1, 0), instead of each going to the rank with the fewest tokens so far.
def lpt(indices, lengths, k):
    groups = [[] for _ in range(k)]
    totals = [0] * k
    for i in sorted(indices, key=lambda i: (-lengths[i], i)):
        g = min(range(k), key=totals.__getitem__)
        groups[g].append(i)
        totals[g] += lengths[i]
    return groups, totals


def token_balance(lengths, ranks, cap):
    if any(n > cap for n in lengths):
        raise ValueError("sample does not fit into a microbatch")

    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    shards = [[] for _ in range(ranks)]
    for pos, i in enumerate(order):
        lap, r = divmod(pos, ranks)
        if lap % 2 == 1:
            r = ranks - 1 - r
        shards[r].append(i)

    k = 1
    while True:
        results = [lpt(shard, lengths, k) for shard in shards]
        if all(max(totals) <= cap for _, totals in results):
            return [groups for groups, _ in results]
        k += 1
