# expect: wrong
# mistake: For the interleaved schedule with m equal to p, every rank is taken to run all its forward passes as warm-up (as Megatron does), so peak_inflight is m * v on every rank.
def warmup_passes(p, m, v, rank):
    total = m * v
    if v == 1:
        return min(p - rank - 1, total)
    if m == p:
        return total
    return min((p - rank - 1) * 2 + (v - 1) * p, total)


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    if p == 1:
        t_comm = 0.0
    f = tf / v + t_comm
    b = tb / v + t_comm
    makespan = (m * v + p - 1) * (f + b)
    bubble_fraction = (p - 1) / (m * v + p - 1)

    peak_inflight = []
    for rank in range(p):
        w = warmup_passes(p, m, v, rank)
        peak_inflight.append(w if w == m * v else w + 1)
    return bubble_fraction, makespan, peak_inflight
