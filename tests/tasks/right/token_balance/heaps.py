import heapq


def lpt(items, groups):
    """items: (length, index) pairs; returns one list of such pairs per group."""
    heap = [(0, g) for g in range(groups)]
    result = [[] for _ in range(groups)]
    for length, index in sorted(items, key=lambda item: (-item[0], item[1])):
        total, g = heapq.heappop(heap)
        result[g].append((length, index))
        heapq.heappush(heap, (total + length, g))
    return result


def token_balance(lengths, ranks, cap):
    for index, length in enumerate(lengths):
        if length > cap:
            raise ValueError(f"sample {index} has {length} tokens, which is more than {cap}")
    per_rank = lpt([(length, index) for index, length in enumerate(lengths)], ranks)
    n = max(1, max(-(-sum(length for length, _ in items) // cap) for items in per_rank))
    while True:
        split = [lpt(items, n) for items in per_rank]
        if max(sum(length for length, _ in micro) for micros in split for micro in micros) <= cap:
            break
        n += 1
    return [[[index for _, index in micro] for micro in micros] for micros in split]
