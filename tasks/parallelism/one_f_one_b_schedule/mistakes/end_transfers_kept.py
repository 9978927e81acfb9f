def program(i, p, m):
    warm = min(p - 1 - i, m)
    steps = []

    def add(*actions):
        steps.append(list(actions))

    for k in range(warm):
        add(("recv_activation", k))
        add(("forward", k))
        add(("send_activation", k))
    if warm < m:
        add(("recv_activation", warm))
    for k in range(m - warm):
        add(("forward", warm + k))
        add(("send_activation", warm + k), ("recv_gradient", k))
        add(("backward", k))
        if warm + k + 1 < m:
            add(("send_gradient", k), ("recv_activation", warm + k + 1))
        else:
            add(("send_gradient", k))
    for k in range(m - warm, m):
        add(("recv_gradient", k))
        add(("backward", k))
        add(("send_gradient", k))
    return steps


def one_f_one_b_schedule(stages, microbatches):
    return [program(i, stages, microbatches) for i in range(stages)]
