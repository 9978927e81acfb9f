# expect: right
def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = []
    room = -1
    for size, kind in tensors:
        if not buckets or size > room:
            buckets.append([])
            room = bucket
        buckets[-1].append((size, kind))
        room -= size

    ranks = {"replicated": 1, "dense": tp, "expert": ep}
    fill, send = [], []
    for content in buckets:
        received = sum(size * (ranks[kind] - 1) / ranks[kind] for size, kind in content)
        sharded = sum(size for size, kind in content if kind != "replicated")
        total = sum(size for size, _ in content)
        seconds = received / bw_gather
        if quant_rate is not None:
            seconds += sharded / quant_rate
            total -= sharded / 2
        fill.append(seconds)
        send.append(total / bw_broadcast)

    filled, sent = [], []
    for i in range(len(buckets)):
        start = filled[i - 1] if i >= 1 else 0.0
        if i >= 2:
            start = max(start, sent[i - 2])
        filled.append(start + fill[i])
        sent.append(max(filled[i], sent[i - 1] if i else 0.0) + send[i])

    largest = max(sum(size for size, _ in content) for content in buckets)
    return float(sum(fill) + sum(send)), float(sent[-1]), 2 * largest
