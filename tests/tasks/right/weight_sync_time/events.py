class Bucket:
    def __init__(self):
        self.size = 0
        self.received = 0.0
        self.quantized = 0
        self.sent = 0.0


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = [Bucket()]
    for size, kind in tensors:
        current = buckets[-1]
        if current.size and current.size + size > bucket:
            current = Bucket()
            buckets.append(current)
        current.size += size
        if kind == "dense":
            current.received += (tp - 1) * (size / tp)
        elif kind == "expert":
            current.received += (ep - 1) * (size / ep)
        if quant_rate is None or kind == "replicated":
            current.sent += size
        else:
            current.quantized += size
            current.sent += size / 2

    def fill_time(one):
        return one.received / bw_gather + (one.quantized / quant_rate if one.quantized else 0.0)

    clock = 0.0
    for one in buckets:
        clock += fill_time(one)
        clock += one.sent / bw_broadcast
    sequential = clock

    # When each of the two buffers becomes free; buckets use them in turns.
    free = [0.0, 0.0]
    filler = link = 0.0
    for place, one in enumerate(buckets):
        start = max(filler, free[place % 2])
        filler = start + fill_time(one)
        link = max(filler, link) + one.sent / bw_broadcast
        free[place % 2] = link
    return sequential, link, 2 * max(one.size for one in buckets)
