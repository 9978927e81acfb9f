# expect: right
def _fill_and_send(group, tp, ep, bw_gather, quant_rate, bw_broadcast):
    gather = quant = wire = 0.0
    for size, kind in group:
        if kind == "dense":
            gather += size / tp * (tp - 1)
        elif kind == "expert":
            gather += size / ep * (ep - 1)
        if quant_rate is not None and kind in ("dense", "expert"):
            quant += size / quant_rate
            wire += size / 2
        else:
            wire += size
    return gather / bw_gather + quant, wire / bw_broadcast


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    groups, group, used = [], [], 0
    for tensor in tensors:
        if group and used + tensor[0] > bucket:
            groups.append(group)
            group, used = [], 0
        group.append(tensor)
        used += tensor[0]
    groups.append(group)

    times = [_fill_and_send(g, tp, ep, bw_gather, quant_rate, bw_broadcast) for g in groups]
    sequential = sum(f + s for f, s in times)
    # with two buffers, the filling of bucket i + 1 and the broadcast of bucket i start together
    pipelined = times[0][0]
    for (_, s), (f, _) in zip(times, times[1:]):
        pipelined += max(s, f)
    pipelined += times[-1][1]
    return sequential, pipelined, 2 * max(sum(size for size, _ in g) for g in groups)
