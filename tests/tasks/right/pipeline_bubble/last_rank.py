def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    if p == 1:
        t_comm = 0
    one_forward, one_backward = t_comm + tf / v, t_comm + tb / v
    clock = 0.0
    for _rank_before_the_last in range(p - 1):
        clock += one_forward
    start = clock
    for _pass in range(m * v):
        clock += one_forward + one_backward
    busy = clock - start
    for _rank_before_the_last in range(p - 1):
        clock += one_backward

    def kept(rank):
        after = p - 1 - rank
        before_first_backward = after + 1 if v == 1 else after * 2 + (v - 1) * p + 1
        return before_first_backward if before_first_backward < m * v else m * v

    return (clock - busy) / clock, clock, [kept(rank) for rank in range(p)]
