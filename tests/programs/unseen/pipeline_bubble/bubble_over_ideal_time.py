# expect: wrong
# mistake: bubble_fraction is the idle time divided by the ideal time without a bubble, (p - 1) / (v * m), instead of divided by the makespan.
def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    comm = t_comm if p > 1 else 0.0
    slot = (tf + tb) / v + 2 * comm

    ideal = m * v * slot
    bubble = (p - 1) * slot
    makespan = ideal + bubble

    peak = []
    for rank in range(p):
        if v == 1:
            warmup = p - rank - 1
        else:
            warmup = 2 * (p - rank - 1) + (v - 1) * p
        peak.append(min(warmup + 1, m * v))
    return bubble / ideal, makespan, peak
