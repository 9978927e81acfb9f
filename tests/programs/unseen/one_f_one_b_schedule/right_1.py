# expect: right
def one_f_one_b_schedule(stages, microbatches):
    """Return one program per stage: a list of steps, each of which is a list of actions such as ("forward", 0)."""
    programs = []
    for i in range(stages):
        warmup = min(stages - i, microbatches)
        passes = [("forward", k) for k in range(warmup)]
        for k in range(microbatches):
            passes.append(("backward", k))
            if warmup + k < microbatches:
                passes.append(("forward", warmup + k))

        has_prev, has_next = i > 0, i < stages - 1
        program = []
        pending = []  # transfers between the previous pass and the next one: all in one step
        for name, k in passes:
            if name == "forward" and has_prev:
                pending.append(("recv_activation", k))
            if name == "backward" and has_next:
                pending.append(("recv_gradient", k))
            if pending:
                program.append(pending)
            program.append([(name, k)])
            pending = []
            if name == "forward" and has_next:
                pending.append(("send_activation", k))
            if name == "backward" and has_prev:
                pending.append(("send_gradient", k))
        if pending:
            program.append(pending)
        programs.append(program)
    return programs
