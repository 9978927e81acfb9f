# expect: wrong
# mistake: bubble_fraction counts the time of a rank's transfers as idle time, instead of as busy time.
def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    t = t_comm if p > 1 else 0.0
    passes = m * v
    makespan = (passes + p - 1) * (tf / v + tb / v + 2 * t)
    compute = m * (tf + tb)
    bubble_fraction = (makespan - compute) / makespan

    if v > 1:
        warm = [2 * (p - i - 1) + (v - 1) * p for i in range(p)]
    else:
        warm = [p - i - 1 for i in range(p)]
    peak = [min(w + 1, passes) for w in warm]
    return bubble_fraction, makespan, peak
