# expect: wrong
# mistake: With fp8, replicated tensors are quantized and halved as well instead of staying in bf16.
from itertools import accumulate


def split_into_buckets(tensors, limit):
    buckets = []
    for size, kind in tensors:
        if buckets and sum(s for s, _ in buckets[-1]) + size <= limit:
            buckets[-1].append((size, kind))
        else:
            buckets.append([(size, kind)])
    return buckets


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = split_into_buckets(tensors, bucket)
    sizes = [sum(s for s, _ in b) for b in buckets]
    world = dict(replicated=1, dense=tp, expert=ep)

    fill = [sum(s * (world[k] - 1) / world[k] for s, k in b) / bw_gather for b in buckets]
    if quant_rate is None:
        send = [size / bw_broadcast for size in sizes]
    else:
        fill = [f + size / quant_rate for f, size in zip(fill, sizes)]
        send = [size / 2 / bw_broadcast for size in sizes]

    sequential = list(accumulate(f + s for f, s in zip(fill, send)))[-1]
    end_fill, ends = 0.0, [0.0, 0.0]
    for f, s in zip(fill, send):
        end_fill = max(end_fill, ends[-2]) + f
        ends.append(max(end_fill, ends[-1]) + s)
    return sequential, ends[-1], 2 * max(sizes)
