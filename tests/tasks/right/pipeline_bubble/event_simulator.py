def order_of(rank, p, m, v):
    """Return the rank's passes in order, as (is_forward, chunk on this rank, microbatch)."""
    forward = []
    for first in range(0, m, p if v > 1 else 1):
        group = range(first, first + p) if v > 1 else [first]
        forward += [(chunk, microbatch) for chunk in range(v) for microbatch in group]
    backward = [(v - 1 - chunk, microbatch) for chunk, microbatch in forward]
    warm_up = p - rank - 1 if v == 1 else 2 * (p - rank - 1) + (v - 1) * p
    warm_up = min(warm_up, len(forward))
    passes = [(True, *item) for item in forward[:warm_up]]
    for later, earlier in zip(forward[warm_up:], backward):
        passes += [(True, *later), (False, *earlier)]
    passes += [(False, *item) for item in backward[len(forward) - warm_up :]]
    return passes


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    if p == 1:
        t_comm = 0.0
    waiting = [order_of(rank, p, m, v)[::-1] for rank in range(p)]
    ended = {}
    free_at, busy = [0.0] * p, [0.0] * p
    in_flight, peaks = [0] * p, [0] * p
    while any(waiting):
        for rank in range(p):
            while waiting[rank]:
                is_forward, local, microbatch = waiting[rank][-1]
                chunk = local * p + rank
                if is_forward:
                    needs = (True, chunk - 1, microbatch) if chunk > 0 else None
                elif chunk == p * v - 1:
                    needs = (True, chunk, microbatch)
                else:
                    needs = (False, chunk + 1, microbatch)
                if needs is not None and needs not in ended:
                    break
                waiting[rank].pop()
                start = max(free_at[rank], ended[needs] if needs else 0.0)
                length = (tf if is_forward else tb) / v + t_comm
                free_at[rank] = start + length
                busy[rank] += length
                ended[is_forward, chunk, microbatch] = free_at[rank]
                in_flight[rank] += 1 if is_forward else -1
                peaks[rank] = max(peaks[rank], in_flight[rank])
    makespan = max(free_at)
    return 1 - busy[0] / makespan, makespan, peaks
