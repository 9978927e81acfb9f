# expect: wrong
# mistake: pipelined is the first filling plus the larger of the remaining fillings' sum and the earlier broadcasts' sum plus the last broadcast, which is right for equal buckets only, instead of the schedule bucket by bucket.
def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    fp8 = quant_rate is not None
    buckets, current, current_size = [], [], 0
    for size, kind in tensors:
        if current and current_size + size > bucket:
            buckets.append(current)
            current, current_size = [], 0
        current.append((size, kind))
        current_size += size
    buckets.append(current)

    fills, casts, sizes = [], [], []
    for b in buckets:
        dense = sum(s for s, k in b if k == "dense")
        expert = sum(s for s, k in b if k == "expert")
        replicated = sum(s for s, k in b if k == "replicated")
        fill = (dense * (tp - 1) / tp + expert * (ep - 1) / ep) / bw_gather
        if fp8:
            fill += (dense + expert) / quant_rate
        out = replicated + (dense + expert) * (0.5 if fp8 else 1.0)
        fills.append(fill)
        casts.append(out / bw_broadcast)
        sizes.append(dense + expert + replicated)

    sequential = sum(fills) + sum(casts)
    pipelined = fills[0] + max(sum(fills[1:]), sum(casts[:-1])) + casts[-1]
    return sequential, pipelined, 2 * max(sizes)
