# expect: wrong
# mistake: Among samples of equal length, the one with the larger index is placed first, because the (length, index) pairs are sorted in reverse.
import heapq


def _assign(pairs, n):
    heap = [(0, g) for g in range(n)]
    groups = [[] for _ in range(n)]
    for length, i in pairs:
        tokens, g = heap[0]
        heapq.heapreplace(heap, (tokens + length, g))
        groups[g].append((length, i))
    return groups, max(t for t, _ in heap)


def token_balance(lengths, ranks, cap):
    pairs = sorted(((n, i) for i, n in enumerate(lengths)), reverse=True)
    if pairs[0][0] > cap:
        raise ValueError(f"longest sample has {pairs[0][0]} tokens, cap is {cap}")

    shards, _ = _assign(pairs, ranks)
    for n_micro in range(1, len(lengths) + 1):
        packed = [_assign(shard, n_micro) for shard in shards]
        if max(largest for _, largest in packed) <= cap:
            break
    return [[[i for _, i in group] for group in groups] for groups, _ in packed]
