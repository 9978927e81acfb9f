# expect: wrong
# mistake: peak_inflight is always one more than the warm-up formula, even on ranks that have fewer forward passes than that in total.
def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    comm = 0.0 if p == 1 else t_comm
    unit = tf / v + tb / v + 2 * comm
    bubble_time = (p - 1) * unit
    makespan = m * v * unit + bubble_time
    if v == 1:
        peak = [p - r for r in range(p)]
    else:
        peak = [2 * (p - r - 1) + (v - 1) * p + 1 for r in range(p)]
    return bubble_time / makespan, makespan, peak
