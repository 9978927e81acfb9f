"""Pack tensors into buckets, compute how long each bucket is filled and broadcast, and pipeline the two stages."""


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    """Return the seconds of a sequential and of a pipelined weight sync, and the bytes of its two buffers.

    `n_engines` has no effect: a chain carries each byte once over every link, and all links at the same time.
    Source: verl, verl/checkpoint_engine/nccl_checkpoint_engine.py, send_weights.
    """
    ranks = {"replicated": 1, "dense": tp, "expert": ep}
    buckets = []
    for size, kind in tensors:
        if not buckets or sum(held for held, _ in buckets[-1]) + size > bucket:
            buckets.append([])
        buckets[-1].append((size, kind))

    sequential = 0.0
    # The ends of the latest filling, of the latest broadcast, and of the broadcast before it.
    filled = sent = sent_before = 0.0
    for content in buckets:
        fill = send = 0.0
        for size, kind in content:
            fill += size * (ranks[kind] - 1) / ranks[kind] / bw_gather
            if quant_rate is not None and kind != "replicated":
                fill += size / quant_rate
                send += size / 2 / bw_broadcast
            else:
                send += size / bw_broadcast
        sequential += fill + send
        # The buffer was last used by the bucket before the previous one.
        filled = max(filled, sent_before) + fill
        sent_before, sent = sent, max(filled, sent) + send
    return sequential, sent, 2 * max(sum(size for size, _ in content) for content in buckets)
