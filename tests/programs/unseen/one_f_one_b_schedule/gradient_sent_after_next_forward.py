# expect: wrong
# mistake: Sends a gradient only after the forward pass that follows the backward pass, instead of directly after the backward pass, so the previous stage waits and the training step takes too long.
def one_f_one_b_schedule(stages, microbatches):
    return [build(i, stages, microbatches) for i in range(stages)]


def build(i, stages, m):
    prev, nxt = i > 0, i + 1 < stages
    warmup = min(stages - i, m)
    program = []

    def add(*actions):
        actions = [a for a in actions if a is not None]
        if actions:
            program.append(actions)

    for k in range(warmup):
        add(("recv_activation", k) if prev else None)
        add(("forward", k))
        if nxt and k < warmup - 1:
            add(("send_activation", k))
    last_forward = warmup - 1
    for k in range(m):
        add(("send_activation", last_forward) if nxt and last_forward is not None else None,
            ("recv_gradient", k) if nxt else None)
        add(("backward", k))
        last_forward = None
        if k + warmup < m:
            add(("recv_activation", k + warmup) if prev else None)
            add(("forward", k + warmup))
            last_forward = k + warmup
        add(("send_gradient", k) if prev else None)
    return program
