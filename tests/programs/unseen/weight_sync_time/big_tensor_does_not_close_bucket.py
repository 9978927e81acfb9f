# expect: wrong
# mistake: A tensor larger than bucket is sent in a bucket of its own without closing the current bucket, so tensors after it may join tensors before it in one bucket.
def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets, pending, pending_size = [], [], 0
    for size, kind in tensors:
        if size > bucket:
            buckets.append([(size, kind)])
            continue
        if pending_size + size > bucket:
            buckets.append(pending)
            pending, pending_size = [], 0
        pending.append((size, kind))
        pending_size += size
    if pending:
        buckets.append(pending)

    group = {"replicated": 1, "dense": tp, "expert": ep}
    stages = []
    for b in buckets:
        fill = sum(size * (1 - 1 / group[kind]) / bw_gather for size, kind in b)
        payload = 0
        for size, kind in b:
            if quant_rate is None or kind == "replicated":
                payload += size
            else:
                fill += size / quant_rate
                payload += size / 2
        stages.append((fill, payload / bw_broadcast))

    sequential = sum(fill + send for fill, send in stages)
    filled = sent = before_last = 0.0
    for fill, send in stages:
        filled = max(filled, before_last) + fill
        before_last = sent
        sent = max(filled, sent) + send
    return sequential, sent, 2 * max(sum(size for size, _ in b) for b in buckets)
