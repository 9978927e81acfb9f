# expect: wrong
# mistake: The broadcast takes n_engines times as long, as if the rank sent the bucket to one engine after the other, although the links of the chain all work at the same time.
def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = [[]]
    filled = 0
    for size, kind in tensors:
        if filled + size > bucket and buckets[-1]:
            buckets.append([])
            filled = 0
        buckets[-1].append((size, kind))
        filled += size

    def gather_time(b):
        t = 0.0
        for size, kind in b:
            n = {"dense": tp, "expert": ep}.get(kind, 1)
            t += (size - size / n) / bw_gather
        return t

    def quant_time(b):
        if quant_rate is None:
            return 0.0
        return sum(size for size, kind in b if kind != "replicated") / quant_rate

    def broadcast_time(b):
        payload = 0.0
        for size, kind in b:
            payload += size / 2 if quant_rate is not None and kind != "replicated" else size
        return payload * n_engines / bw_broadcast

    fill = [gather_time(b) + quant_time(b) for b in buckets]
    cast = [broadcast_time(b) for b in buckets]
    sequential = sum(fill) + sum(cast)

    buffer_free = [0.0, 0.0]
    fill_end = cast_end = 0.0
    for i, (f, c) in enumerate(zip(fill, cast)):
        fill_end = max(fill_end, buffer_free[i % 2]) + f
        cast_end = max(cast_end, fill_end) + c
        buffer_free[i % 2] = cast_end
    return sequential, cast_end, 2 * max(sum(s for s, _ in b) for b in buckets)
