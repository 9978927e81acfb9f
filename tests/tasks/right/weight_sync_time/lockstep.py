from itertools import zip_longest


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    is_fp8 = quant_rate is not None

    def times(size, kind):
        """Return how long a tensor takes to be filled into a bucket and to be broadcast."""
        missing = {"replicated": 0, "dense": 1 - 1 / tp, "expert": 1 - 1 / ep}[kind] * size
        is_quantized = is_fp8 and kind != "replicated"
        fill = missing / bw_gather + (size / quant_rate if is_quantized else 0)
        return fill, (0.5 if is_quantized else 1) * size / bw_broadcast

    sizes, fills, sends = [0], [0.0], [0.0]
    for size, kind in tensors:
        if sizes[-1] > 0 and sizes[-1] + size > bucket:
            sizes.append(0)
            fills.append(0.0)
            sends.append(0.0)
        fill, send = times(size, kind)
        sizes[-1] += size
        fills[-1] += fill
        sends[-1] += send
    # With two buffers, a bucket is filled exactly while the one before it is broadcast, and both must end.
    rounds = zip_longest(fills, [0.0, *sends], fillvalue=0.0)
    return sum(fills) + sum(sends), sum(max(pair) for pair in rounds), 2 * max(sizes)
