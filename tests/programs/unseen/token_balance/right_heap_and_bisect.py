# expect: right
import heapq


def _lpt(samples, lengths, groups):
    """Longest processing time first; samples are already sorted."""
    heap = [(0, g) for g in range(groups)]
    out = [[] for _ in range(groups)]
    for i in samples:
        load, g = heapq.heappop(heap)
        out[g].append(i)
        heapq.heappush(heap, (load + lengths[i], g))
    return out, max(load for load, _ in heap)


def token_balance(lengths, ranks, cap):
    if max(lengths) > cap:
        raise ValueError("a sample is longer than cap")

    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    per_rank, _ = _lpt(order, lengths, ranks)

    def fits(n):
        return all(_lpt(samples, lengths, n)[1] <= cap for samples in per_rank)

    # One more group never makes the largest load of LPT larger, so bisection is safe.
    lo, hi = 1, max(len(samples) for samples in per_rank)
    while lo < hi:
        mid = (lo + hi) // 2
        if fits(mid):
            hi = mid
        else:
            lo = mid + 1
    return [_lpt(samples, lengths, lo)[0] for samples in per_rank]
