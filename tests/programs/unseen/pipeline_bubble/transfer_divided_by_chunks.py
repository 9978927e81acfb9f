# expect: wrong
# mistake: The transfer time is divided by v together with the computation, so a pass takes (tf + t_comm) / v instead of tf / v + t_comm.
def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    if p > 1:
        tf = tf + t_comm
        tb = tb + t_comm

    per_rank = m * (tf + tb)
    fill_drain = (p - 1) * (tf + tb) / v
    makespan = per_rank + fill_drain
    bubble_fraction = fill_drain / makespan

    n = m * v
    peak_inflight = []
    for i in range(p):
        w = p - i - 1 if v == 1 else 2 * (p - i - 1) + (v - 1) * p
        live = min(w, n)
        if live < n:
            live += 1
        peak_inflight.append(live)
    return bubble_fraction, makespan, peak_inflight
