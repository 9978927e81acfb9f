# expect: wrong
# mistake: Receives all activations of the warm-up in one step before the first forward pass, so a stage cannot start until the previous stage has sent all of them, and the training step takes too long.
def one_f_one_b_schedule(stages, microbatches):
    programs = []
    for i in range(stages):
        is_first, is_last = i == 0, i == stages - 1
        n_warm = min(stages - i, microbatches)
        prog = []
        if not is_first:
            prog.append([("recv_activation", k) for k in range(n_warm)])
        for k in range(n_warm):
            prog.append([("forward", k)])
            if not is_last:
                prog.append([("send_activation", k)])
        for k in range(microbatches):
            if not is_last:
                prog.append([("recv_gradient", k)])
            prog.append([("backward", k)])
            nxt = k + n_warm
            group = []
            if not is_first:
                group.append(("send_gradient", k))
                if nxt < microbatches:
                    group.append(("recv_activation", nxt))
            if group:
                prog.append(group)
            if nxt < microbatches:
                prog.append([("forward", nxt)])
                if not is_last:
                    prog.append([("send_activation", nxt)])
        # join a send with the receive of the gradient that follows it
        merged = []
        for step in prog:
            if merged and step[0][0] == "recv_gradient" and merged[-1][0][0] == "send_activation":
                merged[-1] = merged[-1] + step
            else:
                merged.append(step)
        programs.append(merged)
    return programs
