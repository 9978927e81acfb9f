def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = [[]]
    for size, kind in tensors:
        if buckets[-1] and sum(held for held, _ in buckets[-1]) + size > bucket:
            buckets.append([])
        buckets[-1].append((size, kind))
    fills, sends = [], []
    for content in buckets:
        gathered = quantized = sent = 0
        for size, kind in content:
            n = {"replicated": 1, "dense": tp, "expert": ep}[kind]
            gathered += size * (n - 1) / n
            if quant_rate is not None and kind != "replicated":
                quantized += size
                sent += size / 2
            else:
                sent += size
        fill = gathered / bw_gather
        if quant_rate is not None:
            fill += quantized / quant_rate
        fills.append(fill)
        sends.append(sent / bw_broadcast)
    sequential = sum(fills) + sum(sends)
    filled, ends = 0, [0, 0, 0]
    for fill, send in zip(fills, sends):
        filled = max(filled, ends[-3]) + fill
        ends.append(max(filled, ends[-1]) + send)
    pipelined = ends[-1]
    largest = max(sum(size for size, _ in content) for content in buckets)
    return sequential, pipelined, 2 * largest
