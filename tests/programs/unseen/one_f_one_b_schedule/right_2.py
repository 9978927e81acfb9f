# expect: right
def one_f_one_b_schedule(stages, microbatches):
    """Return one program per stage: a list of steps, each of which is a list of actions such as ("forward", 0)."""
    return [stage_program(i, stages, microbatches) for i in range(stages)]


def stage_program(i, stages, m):
    # Every transfer is a step of its own. Between two neighbors, the activation always goes before the gradient
    # that crosses it, on both sides, so that the two cannot wait for each other.
    first, last = i == 0, i == stages - 1
    steps = []

    def do(name, k, condition=True):
        if condition:
            steps.append([(name, k)])

    warmup = min(m, stages - i)
    for k in range(warmup):
        do("recv_activation", k, not first)
        do("forward", k)
        do("send_activation", k, not last)
    for b in range(m):
        f = b + warmup
        do("recv_gradient", b, not last)
        do("backward", b)
        do("recv_activation", f, not first and f < m)
        do("send_gradient", b, not first)
        if f < m:
            do("forward", f)
            do("send_activation", f, not last)
    return steps
