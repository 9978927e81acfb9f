# expect: wrong
# mistake: Runs only stages - i - 1 forward passes (at least one) before the first backward pass, so every stage but the last has one microbatch fewer in flight than the limit allows.
def one_f_one_b_schedule(stages, microbatches):
    programs = []
    for i in range(stages):
        warmup = min(max(stages - i - 1, 1), microbatches)
        passes = [("forward", k) for k in range(warmup)]
        for k in range(microbatches):
            passes.append(("backward", k))
            if warmup + k < microbatches:
                passes.append(("forward", warmup + k))
        program, pending = [], []
        for name, k in passes:
            if name == "forward" and i > 0:
                pending.append(("recv_activation", k))
            if name == "backward" and i < stages - 1:
                pending.append(("recv_gradient", k))
            if pending:
                program.append(pending)
            program.append([(name, k)])
            pending = []
            if name == "forward" and i < stages - 1:
                pending.append(("send_activation", k))
            if name == "backward" and i > 0:
                pending.append(("send_gradient", k))
        if pending:
            program.append(pending)
        programs.append(program)
    return programs
