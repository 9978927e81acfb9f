def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    comm = t_comm if p > 1 else 0.0
    forward = tf / v + comm
    backward = tb / v + comm
    fill = (p - 1) * (forward + backward)
    makespan = m * (tf + tb) + fill
    bubble = (p - 1) / (m * v + p - 1)
    peaks = []
    for i in range(p):
        if v == 1:
            warmup = p - i - 1
        else:
            warmup = 2 * (p - i - 1) + (v - 1) * p
        peaks.append(min(warmup + 1, m * v))
    return bubble, makespan, peaks
