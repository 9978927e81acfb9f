# expect: wrong
# mistake: Two mistakes: the backward passes that remain after the last forward pass run from the newest microbatch to the oldest, and every stage has a limit of stages microbatches in flight instead of stages - i.
def one_f_one_b_schedule(stages, microbatches):
    programs = []
    for i in range(stages):
        limit = min(stages, microbatches)
        passes = [("forward", k) for k in range(limit)]
        for k in range(microbatches - limit):
            passes += [("backward", k), ("forward", k + limit)]
        passes += [("backward", k) for k in reversed(range(microbatches - limit, microbatches))]
        program, transfers = [], []
        for name, k in passes:
            if name == "forward":
                if i > 0:
                    transfers.append(("recv_activation", k))
            elif i < stages - 1:
                transfers.append(("recv_gradient", k))
            if transfers:
                program.append(transfers)
            program.append([(name, k)])
            transfers = []
            if name == "forward":
                if i < stages - 1:
                    transfers.append(("send_activation", k))
            elif i > 0:
                transfers.append(("send_gradient", k))
        if transfers:
            program.append(transfers)
        programs.append(program)
    return programs
