# expect: wrong
# mistake: Two mistakes: in pipelined, filling never waits for a free buffer, and expert tensors are gathered as if they were sharded across tp * ep ranks.
def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    shards = {"replicated": 1, "dense": tp, "expert": tp * ep}
    plan = []
    for size, kind in tensors:
        remote = size * (shards[kind] - 1) / shards[kind]
        quantized = quant_rate is not None and kind != "replicated"
        fill = remote / bw_gather + (size / quant_rate if quantized else 0.0)
        send = (size / 2 if quantized else size) / bw_broadcast
        if plan and plan[-1][0] + size <= bucket:
            total, f, s = plan[-1]
            plan[-1] = (total + size, f + fill, s + send)
        else:
            plan.append((size, fill, send))

    sequential = 0.0
    fill_done = send_done = 0.0
    for _, fill, send in plan:
        sequential += fill + send
        fill_done += fill
        send_done = max(send_done, fill_done) + send
    return sequential, send_done, 2 * max(total for total, _, _ in plan)
