# expect: right
def _order(p, m, v, rank):
    n = m * v
    fwd = []
    for first in range(0, m, p):
        for c in range(v):
            for j in range(first, min(first + p, m)):
                fwd.append((c, j))
    bwd = [(v - 1 - c, j) for c, j in fwd]
    if v == 1:
        warm = p - rank - 1
    else:
        warm = 2 * (p - rank - 1) + (v - 1) * p
    warm = min(warm, n)
    ops = [("F", *x) for x in fwd[:warm]]
    for a in range(warm, n):
        ops.append(("F", *fwd[a]))
        ops.append(("B", *bwd[a - warm]))
    ops += [("B", *x) for x in bwd[n - warm:]]
    return ops


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    if p == 1:
        t_comm = 0.0
    dur = {"F": tf / v + t_comm, "B": tb / v + t_comm}
    last = p * v - 1
    queues = [_order(p, m, v, i) for i in range(p)]
    pos = [0] * p
    clock = [0.0] * p
    end = {}
    remaining = sum(len(q) for q in queues)
    while remaining:
        progressed = False
        for i in range(p):
            while pos[i] < len(queues[i]):
                kind, c, j = queues[i][pos[i]]
                chunk = c * p + i
                if kind == "F":
                    dep = ("F", chunk - 1, j) if chunk > 0 else None
                elif chunk == last:
                    dep = ("F", chunk, j)
                else:
                    dep = ("B", chunk + 1, j)
                if dep is not None and dep not in end:
                    break
                start = clock[i] if dep is None else max(clock[i], end[dep])
                clock[i] = start + dur[kind]
                end[kind, chunk, j] = clock[i]
                pos[i] += 1
                remaining -= 1
                progressed = True
        if not progressed:
            raise RuntimeError("deadlock")

    makespan = max(clock)
    peaks = []
    for q in queues:
        live = best = 0
        for kind, _, _ in q:
            live += 1 if kind == "F" else -1
            best = max(best, live)
        peaks.append(best)
    busy = m * v * (dur["F"] + dur["B"])
    return 1 - busy / makespan, makespan, peaks
