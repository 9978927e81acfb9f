from fractions import Fraction
from functools import cache


def pack(tensors, bucket):
    """Return the buckets, each as a list of tensors."""
    start, packed = 0, []
    while start < len(tensors):
        end = start + 1
        while end < len(tensors) and sum(size for size, _ in tensors[start : end + 1]) <= bucket:
            end += 1
        packed.append(tensors[start:end])
        start = end
    return packed


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    shards = {"replicated": 1, "dense": tp, "expert": ep}
    packed = pack(tensors, bucket)

    def fill(place):
        seconds = Fraction(0)
        for size, kind in packed[place]:
            seconds += Fraction(size, shards[kind]) * (shards[kind] - 1) / Fraction(bw_gather)
            if kind != "replicated" and quant_rate is not None:
                seconds += size / Fraction(quant_rate)
        return seconds

    def broadcast(place):
        widths = {kind: 1 if quant_rate is None or kind == "replicated" else Fraction(1, 2) for kind in shards}
        return sum(size * widths[kind] for size, kind in packed[place]) / Fraction(bw_broadcast)

    @cache
    def filled(place):
        if place < 0:
            return Fraction(0)
        return max(filled(place - 1), sent(place - 2)) + fill(place)

    @cache
    def sent(place):
        if place < 0:
            return Fraction(0)
        return max(filled(place), sent(place - 1)) + broadcast(place)

    places = range(len(packed))
    largest = max(sum(size for size, _ in content) for content in packed)
    return float(sum(fill(p) + broadcast(p) for p in places)), float(sent(places[-1])), 2 * largest
